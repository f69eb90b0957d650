//! How text looks at a place of a page: for certain, and as it may.

use crate::extract::style::{Ground, LetterFormat};
use copytrace_text::layout::MarkKind;

/// How text looks at a place.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Look {
    pub(super) format: LetterFormat,
    pub(super) ground: Ground,
    /// Inside of an element that is not shown, whatever those in it say.
    pub(super) gone: bool,
    /// Letters without ink of their own may show by what is drawn over or behind them.
    pub(super) drawn_over: bool,
    /// Text runs from right to left.
    pub(super) right_to_left: bool,
    /// Of this element alone: it stands in a line, whatever it is, and its letters are shown in that direction, whatever they are.
    pub(super) inline: bool,
    pub(super) overrides: bool,
    /// Of this element alone: a style says how it is shown, whatever it is.
    pub(super) displayed: bool,
    /// A property of it names a picture, or draws one.
    pub(super) pictured: bool,
    /// Of this element alone: it stands at a place of its own, whatever is around it in the file.
    pub(super) piece: bool,
    /// Of this element alone: those in it are placed by its place; and it may lie over what is around it there.
    pub(super) positioned: bool,
    pub(super) covers: bool,
}

impl Look {
    pub(super) fn is_hidden(&self) -> bool {
        self.gone || self.format.hidden == Some(true)
    }

    /// It is not known whether the text is seen, or where.
    pub(super) fn doubt(&mut self) {
        self.format.unjudged = Some(true);
    }

    /// The mark of text that looks so, if nobody sees it or may not.
    pub(super) fn unseen(&self) -> Option<MarkKind> {
        let kind = self.format.unseen(self.ground)?;
        let by_ink = matches!(kind, MarkKind::White | MarkKind::Unseen);
        Some(if self.drawn_over && by_ink { MarkKind::Unjudged } else { kind })
    }
}

/// How text looks at a place, as far as a rule holds for certain, and as it may.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Looks {
    pub(super) certain: Look,
    /// With the rules that may hold.
    pub(super) maybe: Look,
    /// With those too that hold in some state of the page.
    pub(super) in_some_state: Look,
}

impl Looks {
    /// Changes all of them alike.
    pub(super) fn all(&mut self, change: impl Fn(&mut Look)) {
        [&mut self.certain, &mut self.maybe, &mut self.in_some_state].into_iter().for_each(change);
    }

    /// Whether the page never shows the text.
    pub(super) fn is_hidden(&self) -> bool {
        self.certain.is_hidden() && self.in_some_state.is_hidden()
    }

    /// The mark of text that nobody sees, or of which it is not known.
    pub(super) fn unseen(&self) -> Option<MarkKind> {
        if self.certain.is_hidden() {
            return Some(MarkKind::Unjudged);
        }
        let may_be_unseen = || self.maybe.is_hidden() || self.maybe.unseen().is_some();
        self.certain.unseen().or_else(|| may_be_unseen().then_some(MarkKind::Unjudged))
    }
}
