//! Why a part of a text, or a passage in it, does not count.

use serde::{Deserialize, Serialize};

macro_rules! not_counted {
    ($($(#[$about:meta])* $reason:ident $word:tt;)*) => {
        /// Why something of a submission does not count in some ratio. In files each has its word; people are told in their language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum NotCounted {
            $($(#[$about])* #[serde(rename = $word)] $reason,)*
        }

        impl NotCounted {
            /// All reasons, in the order of their words, as tables have them.
            pub const ALL: &[NotCounted] = &[$(NotCounted::$reason),*];

            /// The word of `excluded.csv` and of a report that is kept.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(NotCounted::$reason => $word,)*
                }
            }
        }
    };
}

// In the order of the words: reports are sorted by it.
not_counted! {
    /// Thanks.
    Acknowledgements "acknowledgements";
    /// A comment of a reviewer, or in the source.
    Comment "comment";
    /// Very many documents hold it.
    Common "common";
    /// The table of contents.
    Contents "contents";
    /// Deleted in a tracked change.
    Deleted "deleted text";
    /// Formulas, drawings and other environments whose characters are no text.
    Formula "formula or drawing";
    /// Glyphs for which the file gives no character.
    Unmapped "glyph without a character";
    /// Text that the file hides.
    Hidden "hidden text";
    /// What steers a program.
    Instruction "instruction";
    /// A person left it out.
    LeftOutInReview "left out in review";
    /// What another file would show that is not there.
    MissingFile "missing file";
    /// Menus of pages.
    Navigation "navigation";
    /// The author's own work holds it.
    OwnWork "own work";
    /// Margins of pages.
    PageMargin "page margin";
    /// A part of the file that is not read.
    Unread "part not read";
    /// Quoted with a citation.
    Quotation "quotation";
    /// Lists of references, and references outside of them.
    References "references";
    /// Headers and footers of pages, page and line numbers.
    RunningHead "running head";
    /// Another form of what is in the text.
    SecondForm "second form of the text";
    /// A sentence that works of several authors hold, each among other words.
    SetPhrase "set phrase";
    /// A template holds it.
    Template "template";
    /// Text in letters too small to be read.
    Tiny "tiny text";
    /// Title page, declarations of authorship and forms.
    TitlePage "title page";
    /// Text of which it is not known whether a reader sees it.
    Unjudged "unjudged text";
    /// Text that cannot be seen for another reason.
    Unseen "unseen text";
    /// A passage that is too thin to count.
    Weak "weak";
    /// Text in the colour of its ground.
    White "white text";
}

#[cfg(test)]
mod tests {
    use super::NotCounted;
    use serde::de::value::{Error, StrDeserializer};
    use serde::{Deserialize, Serialize};
    use std::fmt::{Display, Formatter, Result};

    struct Kept(NotCounted);

    impl Display for Kept {
        fn fmt(&self, f: &mut Formatter<'_>) -> Result {
            self.0.serialize(f)
        }
    }

    #[test]
    fn reasons_are_in_the_order_of_their_words_and_are_kept_as_these() {
        assert!(NotCounted::ALL.is_sorted() && NotCounted::ALL.is_sorted_by_key(|reason| reason.as_str()));
        for reason in NotCounted::ALL {
            assert_eq!(Kept(*reason).to_string(), reason.as_str());
            let read = NotCounted::deserialize(StrDeserializer::<Error>::new(reason.as_str()));
            assert_eq!(read, Ok(*reason));
        }
    }
}
