//! Layers (optional content, ISO 32000, 8.11): what of a file is on some that are off, and whether it can be told which are.

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::dict::keys::{OCMD, P, TYPE};
use hayro_interpret::hayro_syntax::object::{Dict, Name, Object};

/// The entry of the catalogue in which layers are switched on and off, and a name of the same length that nobody knows.
const LAYERS: &[u8] = b"/OCProperties";
const NO_LAYERS: &[u8] = b"/XXProperties";

/// The file with all layers shown; none if that cannot be made of it.
pub(super) fn all_shown(pdf: &Pdf) -> Option<Vec<u8>> {
    let bytes: &[u8] = pdf.data().as_ref();
    let id = pdf.xref().root_id();
    let catalogue = pdf.xref().get::<Dict<'_>>(id)?.data();
    let at = catalogue.windows(LAYERS.len()).position(|name| name == LAYERS)?;
    let mut catalogue_shown = catalogue.to_vec();
    catalogue_shown[at..at + LAYERS.len()].copy_from_slice(NO_LAYERS);
    let mut shown = bytes.to_vec();
    let offset = (catalogue.as_ptr() as usize).checked_sub(bytes.as_ptr() as usize);
    if let Some(place) = offset.and_then(|offset| shown.get_mut(offset..offset + catalogue.len()))
        && place == catalogue
    {
        place.copy_from_slice(&catalogue_shown);
        return Some(shown);
    }
    // The catalogue is packed together with other objects: a newer one goes behind the file.
    let before = bytes.windows(9).rposition(|word| word == b"startxref")?;
    let before = std::str::from_utf8(bytes.get(before + 9..)?.get(..24.min(bytes.len() - before - 9))?).ok()?;
    let before: u64 = before.split_whitespace().next()?.parse().ok()?;
    let (number, generation) = (id.obj_number, id.gen_number);
    shown.push(b'\n');
    let object = shown.len();
    shown.extend_from_slice(format!("{number} {generation} obj\n").as_bytes());
    shown.extend_from_slice(&catalogue_shown);
    shown.extend_from_slice(b"\nendobj\n");
    let table = shown.len();
    let update = format!(
        "xref\n{number} 1\n{object:010} {generation:05} n\r\ntrailer\n<</Size {}/Root {number} {generation} R/Prev {before}>>\n\
         startxref\n{table}\n%%EOF\n",
        pdf.len() + 1
    );
    shown.extend_from_slice(update.as_bytes());
    Some(shown)
}

/// Whether a file has layers that are shown on conditions of which hayro knows nothing: by an expression, where others are off, or
/// by what is done with the file.
pub(super) fn are_uncertain(pdf: &Pdf) -> bool {
    let holds = |object: Object<'_>| {
        let Object::Dict(dict) = object else { return false };
        let is = |key: &[u8], value: &[u8]| dict.get::<Name<'_>>(key).is_some_and(|name| name.as_ref() == value);
        let is_off = |dict: Dict<'_>| dict.get::<Name<'_>>(b"ViewState").is_some_and(|state| state.as_ref() == b"OFF");
        let usage = dict.get::<Dict<'_>>(b"Usage");
        is(TYPE, OCMD) && (dict.contains_key(b"VE") || is(P, b"AllOff") || is(P, b"AnyOff"))
            || is(TYPE, b"OCG")
                && usage.is_some_and(|usage| {
                    usage.contains_key(b"Zoom") || usage.get::<Dict<'_>>(b"View").is_some_and(is_off)
                })
    };
    pdf.objects().into_iter().any(holds)
}
