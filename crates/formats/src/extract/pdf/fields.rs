//! Text that a page shows and does not draw: form fields and text boxes without an appearance (ISO 32000-1, 12.5.5 and
//! 12.7.3.3). A viewer makes one of it, each in its own way; here it is counted, so that nobody hides a text there.

use std::iter::successors;

use hayro_interpret::hayro_syntax::object::dict::keys::{ANNOTS, AP, CONTENTS, F, PARENT, SUBTYPE, V};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, String as Text};
use hayro_interpret::hayro_syntax::page::Page;

use super::outline::decoded;

/// Flags of an annotation that nobody sees: it is hidden, or not for the screen.
const UNSEEN: u32 = 1 << 1 | 1 << 5;

/// Fields are nested no deeper.
const DEEPEST: usize = 9;

/// What the notes of a page say that its viewer opens with it.
pub(super) fn open_notes(page: &Page) -> Vec<String> {
    let Some(annotations) = page.raw().get::<Array<'_>>(ANNOTS) else { return Vec::new() };
    annotations.iter::<Dict<'_>>().filter_map(|annotation| note(&annotation)).collect()
}

/// The text of a note that is open; a note may have a window of its own, which is open in its place.
fn note(annotation: &Dict<'_>) -> Option<String> {
    let is_hidden = annotation.get::<u32>(F).is_some_and(|flags| flags & UNSEEN != 0);
    let is_open = annotation.get::<bool>(b"Open").unwrap_or(false);
    let text = match &*annotation.get::<Name<'_>>(SUBTYPE).filter(|_| is_open && !is_hidden)? {
        b"Text" => annotation.get::<Text<'_>>(CONTENTS)?,
        b"Popup" => {
            let note = annotation.get::<Dict<'_>>(PARENT)?;
            // One that is open itself was taken.
            let is_taken = note.get::<bool>(b"Open").unwrap_or(false);
            note.get::<Text<'_>>(CONTENTS).filter(|_| !is_taken)?
        }
        _ => return None,
    };
    Some(decoded(text.as_bytes()))
}

/// Letters and digits of the fields and text boxes of a page that have no appearance.
pub(super) fn undrawn(page: &Page) -> u32 {
    let Some(annotations) = page.raw().get::<Array<'_>>(ANNOTS) else { return 0 };
    annotations.iter::<Dict<'_>>().filter_map(|annotation| shown(&annotation)).fold(0, u32::saturating_add)
}

fn shown(annotation: &Dict<'_>) -> Option<u32> {
    if annotation.get::<u32>(F).is_some_and(|flags| flags & UNSEEN != 0) || annotation.get::<Dict<'_>>(AP).is_some() {
        return None;
    }
    let text = match &*annotation.get::<Name<'_>>(SUBTYPE)? {
        b"FreeText" => annotation.get::<Text<'_>>(CONTENTS)?,
        b"Widget" => {
            let mut fields = successors(Some(annotation.clone()), |field| field.get::<Dict<'_>>(PARENT)).take(DEEPEST);
            fields.find_map(|field| field.get::<Text<'_>>(V))?
        }
        _ => return None,
    };
    Some(decoded(text.as_bytes()).chars().filter(|c| c.is_alphanumeric()).count() as u32)
}
