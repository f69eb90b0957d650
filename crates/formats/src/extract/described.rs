//! Descriptions of pictures (alternative texts): they are for those who do not see what everybody else does.
//!
//! A description is innocent if its picture is there and shows something, and if it is no longer than one is. Whatever else is
//! called one is looked through for prose, as a program may show it in place of a picture that is not there.

use std::collections::BTreeSet;

use super::unplaced::letters;

/// Guides for accessible documents ask for two or three sentences; with more letters a text is a paragraph. A Han character counts as
/// two and a half.
const MOST: usize = 400;

/// A figure is half an inch wide and high, in points.
pub(super) const LEAST_SIDE: f64 = 36.0;

/// The pictures that were described so far: each has one description.
#[derive(Debug, Default)]
pub(super) struct Described(BTreeSet<String>);

impl Described {
    /// Whether these texts, which may say the same, are the description of a picture that shows something.
    pub(super) fn is_of<'t>(&mut self, picture: &str, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let texts: BTreeSet<&str> = texts.into_iter().collect();
        texts.iter().map(|text| letters(text)).sum::<usize>() <= MOST && self.0.insert(picture.to_owned())
    }
}
