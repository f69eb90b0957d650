//! Pages for people: one self-contained file for a submission, one for two that share text, and one for a batch.
//!
//! A page loads nothing and runs nothing but its own small script, which its Content-Security-Policy names by its hash.
//! What a text holds is escaped by the templates and never becomes markup.

mod agreeing;
pub mod batch;
mod display;
mod full_text;
mod page;
pub(super) mod pair;
mod pictures;
mod resemblances;
mod script_data;

pub(super) use page::render_in_folder;
pub use page::{SCRIPT, figures};

use super::messages::Messages;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;

/// The look of all pages.
pub const STYLE: &str = include_str!("report.css");

/// A whole page with its style, its script, and the data that the script reads. On paper `foot` stands at the foot of each
/// sheet, beside its number.
fn document(
    words: &Messages,
    title: &str,
    foot: &str,
    script: &str,
    data: &impl Serialize,
    has_record: bool,
    body: &Markup,
) -> Result<String, serde_json::Error> {
    let data = display::json(data)?;
    let page = html! {
        (DOCTYPE)
        html lang=(words.language) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(display::policy(STYLE, script, has_record));
                meta name="viewport" content="width=device-width, initial-scale=1";
                // A form that is sent from a page tells which site it is of.
                meta name="referrer" content=(if has_record { "same-origin" } else { "no-referrer" });
                title { (display::text(title)) }
                style { (PreEscaped(STYLE)) }
            }
            // The script hands it to the style, which can be the same for all pages then.
            body data-foot=(display::text(foot)) {
                (body)
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(script)) }
            }
        }
    };
    Ok(page.into_string())
}

/// A file name as a relative address: every byte but plain letters, digits, `-`, `.` and `_` is escaped.
pub(super) fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
