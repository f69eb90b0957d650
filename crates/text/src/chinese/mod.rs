//! Words, for those sketches that need words: jieba's segmenter, loaded once, and not at all for texts without Han
//! characters; and its keywords.
//!
//! jieba's dictionary is in simplified script, so texts are normalised before they are cut.

mod cutting;
pub(crate) mod dictionary;
mod keywords;
mod tf_idf;

pub use cutting::for_each_word;
pub use keywords::keywords;
pub use tf_idf::Keyword;
