//! jieba's words and keywords, for the sketches that need them. The whole dictionary is loaded once, when it is first needed.
//! Cutting a text without Han characters into words hardly ever needs it.
//!
//! jieba's dictionary is in simplified script, so texts are normalised before they are cut.

mod cutting;
pub(crate) mod dictionary;
mod keywords;
mod tf_idf;

pub use cutting::for_each_word;
pub use keywords::keywords;
pub use tf_idf::Keyword;
