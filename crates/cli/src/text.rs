//! `copytrace text`: what was read of documents.

use super::Outcome;
use super::args::{TextFormat, TextOptions};
use super::console::Console;
use super::loading::{for_each_batch, tell_unknown};
use super::output;
use copytrace::job::Job;
use copytrace::text::layout::MarkKind;
use copytrace::text::manipulation::Flag;
use copytrace::text::structure::Structure;
use copytrace::text::units::Units;
use copytrace::text::{Document, NotCounted};
use serde_json::{Value, json};
use std::io::Write;

/// Stands in a text for what shows nothing.
const WORD_JOINER: char = '\u{2060}';

pub fn run(options: &TextOptions, console: &Console) -> anyhow::Result<Outcome> {
    let mut output = output::text();
    let (mut failed, mut printed) = (0, 0);
    // A single document needs no name.
    let mut first: Option<Document> = None;
    let job = Job::default().with_cancel(console.cancel.clone());
    let unknown = for_each_batch(&options.paths, &options.reading.limits(), console, &job, |batch| {
        for read in batch {
            match (read, options.format) {
                (Err(unread), _) => {
                    failed += 1;
                    console.error(&unread);
                }
                (Ok(document), TextFormat::Json) => writeln!(output, "{}", described(&document))?,
                (Ok(document), TextFormat::Plain) if printed == 0 && first.is_none() => first = Some(document),
                (Ok(document), TextFormat::Plain) => {
                    for document in first.take().into_iter().chain([document]) {
                        let above = if printed == 0 { "" } else { "\n" };
                        writeln!(output, "{above}==> {} <==\n{}", document.id, as_compared(&document))?;
                        printed += 1;
                    }
                }
            }
        }
        Ok(())
    })?;
    if let Some(document) = first {
        writeln!(output, "{}", as_compared(&document))?;
    }
    output.flush()?;
    tell_unknown(&unknown, console);
    Ok(Outcome::of(failed + unknown.len() > 0))
}

/// The text as a reader sees it, which is what is compared.
fn as_compared(document: &Document) -> String {
    document.visible().replace(WORD_JOINER, "").trim_end().to_owned()
}

/// Everything that is known of the text of a document before it is compared.
fn described(document: &Document) -> Value {
    let Document { id, text, metadata, layout, .. } = document;
    let structure = Structure::find(text, layout);
    let flags = Flag::find_all(text, layout, &structure, &Units::from_text(&document.visible()));
    let parts = structure
        .sections
        .iter()
        .map(|part| json!({ "kind": part.kind, "title": part.title, "start": part.start, "end": part.end }));
    let headings = structure.headings.iter().map(|heading| json!({ "start": heading.start, "end": heading.end }));
    let pages = layout.marks().iter().filter_map(|mark| match mark.kind {
        MarkKind::Page(number) => Some(json!({ "number": number, "start": mark.start })),
        _ => None,
    });
    let left_out = layout.marks().iter().filter_map(|mark| {
        let reason = match mark.kind {
            MarkKind::LeftOut(reason, _) => reason.as_str(),
            _ => NotCounted::Hidden.as_str(),
        };
        Some(json!({ "reason": reason, "start": mark.start, "characters": mark.kind.dropped()? }))
    });
    json!({
        "id": id,
        "title": metadata.title,
        "author": metadata.author,
        "undecodable": document.undecodable,
        "parts": parts.collect::<Value>(),
        "headings": headings.collect::<Value>(),
        "pages": pages.collect::<Value>(),
        "flags": flags,
        "left_out": left_out.collect::<Value>(),
        "text": text,
    })
}
