//! How the words of each language are spelt, and how they may be spoilt.
//!
//! By it text is judged ([`prose`](crate::prose)), and words are restored ([`restore`](crate::restore)).

pub(crate) mod languages;
pub(crate) mod strays;
pub(crate) mod substitution;
