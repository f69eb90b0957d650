//! What copytrace tells people, in each language that it has a file for.
//!
//! An error, a remark or a notice is a value: a stable code and figures. It becomes a sentence when it is shown. Each language
//! has one file in `messages/`, in the form of [Project Fluent](https://projectfluent.org), with a message for each code.
//!
//! The library's own errors have their English sentence in the code (their [`Display`](std::fmt::Display)), because it is
//! what programs and tables get too; so `en.ftl` holds the rest. All other files have everything.
//!
//! ```
//! use copytrace_messages::{Language, Tell, message};
//!
//! let notice = message!("pairs-left-out", pairs = 2);
//! assert_eq!(notice.code().as_deref(), Some("pairs-left-out"));
//! assert!(notice.to_string().starts_with("2 pairs"));
//! let chinese = Language::named("zh").unwrap();
//! assert!(notice.tell(chinese).starts_with("有 2 对"));
//! ```

mod language;
mod tell;
mod words;

pub use language::Language;
pub use tell::{Figure, Message, Tell};

// For the tests of our crates, and what `words!` makes.
#[doc(hidden)]
pub use serde;
#[doc(hidden)]
pub use tell::told_everywhere;
