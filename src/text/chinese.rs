//! Chinese words, for those sketches that need words: jieba's segmenter and its keyword weights, loaded once.
//!
//! jieba's dictionary is in simplified script, so texts are normalised before they are cut.

use jieba_rs::{Jieba, TfIdf};
use std::sync::LazyLock;

/// The segmenter with its default dictionary.
pub fn jieba() -> &'static Jieba {
    static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);
    &JIEBA
}

/// The inverse document frequencies that come with jieba.
pub fn keyword_weights() -> &'static TfIdf {
    static TF_IDF: LazyLock<TfIdf> = LazyLock::new(TfIdf::default);
    &TF_IDF
}
