//! The streams of a Word file and the tables in them ([MS-DOC] 2.4, 2.5, 2.8, 2.9).

use std::io::{Cursor, Read};
use std::ops::Range;

use super::properties::{Letters, Lines, Sprms};
use super::styles::Styles;
use super::summary;
use crate::extract::bytes::{slice, u8_at, u16_at, u32_at};
use crate::extract::error::cut_off;
use crate::extract::pictures::Pictures;
use crate::extract::{Damage, Excess, ExtractError, UnreadFormat};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;

/// Places in the table of tables, which starts at this byte of the main stream.
const TABLES: usize = 154;
const STYLES: usize = 1;
const FOOTNOTE_REFERENCES: usize = 2;
const FOOTNOTE_TEXTS: usize = 3;
const LETTER_PAGES: usize = 12;
const LINE_PAGES: usize = 13;
const PIECES: usize = 33;
const ENDNOTE_REFERENCES: usize = 46;
const ENDNOTE_TEXTS: usize = 47;

/// Bytes of a page of properties.
const PAGE: usize = 512;

/// An opened file.
#[derive(Default)]
pub(super) struct File {
    /// The number of the format's version.
    pub(super) version: u16,
    /// All text as UTF-16 units, and the byte of the main stream where each stands.
    pub(super) units: Vec<u16>,
    bytes: Vec<u32>,
    pub(super) stories: Stories,
    /// Runs of letters and paragraphs by where they end: the first byte after, and their properties.
    letters: Vec<(u32, Vec<u8>)>,
    lines: Vec<(u32, Vec<u8>)>,
    styles: Styles,
    footnotes: (Vec<u32>, Vec<u32>),
    endnotes: (Vec<u32>, Vec<u32>),
    pub(super) metadata: Metadata,
    /// The letters of prose that its pictures show.
    pub(super) lettering: u32,
}

/// Where each story is among the units.
#[derive(Default)]
pub(super) struct Stories {
    pub(super) text: Range<usize>,
    footnotes: Range<usize>,
    pub(super) headers: Range<usize>,
    pub(super) comments: Range<usize>,
    pub(super) endnotes: Range<usize>,
    pub(super) boxes: Range<usize>,
    pub(super) header_boxes: Range<usize>,
}

impl File {
    pub(super) fn open(bytes: &[u8], limits: &ReadLimits) -> Result<File, ExtractError> {
        let mut streams = cfb::CompoundFile::open(Cursor::new(bytes)).map_err(|_| cut_off(".doc"))?;
        let mut stream = |name: &str| -> Option<Vec<u8>> {
            let mut content = Vec::new();
            // No stream is longer than the file; one whose chain of sectors is broken is read as far as it goes.
            let _ = streams.open_stream(name).ok()?.take(bytes.len() as u64).read_to_end(&mut content);
            Some(content)
        };
        let Some(main) = stream("/WordDocument") else {
            return Err(match stream("/EncryptedPackage") {
                Some(_) => ExtractError::Encrypted,
                None if stream("/Workbook").is_some() => ExtractError::OtherFormat { format: UnreadFormat::Xls },
                None => Damage::NoWordText.into(),
            });
        };
        let header = || ExtractError::from(Damage::HeaderCutOff);
        let version = u16_at(&main, 2).ok_or_else(header)?;
        let flags = u16_at(&main, 10).ok_or_else(header)?;
        if flags & 0x0100 != 0 {
            return Err(ExtractError::Encrypted);
        }
        let metadata = stream("/\u{5}SummaryInformation").map(|part| summary::read(&part)).unwrap_or_default();
        let table = stream(if flags & 0x0200 != 0 { "/1Table" } else { "/0Table" }).unwrap_or_default();
        let mut file = File { version, metadata, ..File::default() };
        if version < super::WORD_97 {
            return Ok(file);
        }
        let part = |number: usize| -> &[u8] {
            let at = TABLES + number * 8;
            let place = u32_at(&main, at).zip(u32_at(&main, at + 4));
            place.and_then(|(start, length)| slice(&table, start as usize, length as usize)).unwrap_or_default()
        };
        let mut pictures = Pictures::default();
        let data = stream("/Data").unwrap_or_default();
        file.lettering = pictures.letters_of_stream(&main) + pictures.letters_of_stream(&data);
        file.read_pieces(&main, part(PIECES), limits)?;
        file.stories = Stories::read(&main, file.units.len());
        file.letters = pages(&main, part(LETTER_PAGES), letters_of);
        file.lines = pages(&main, part(LINE_PAGES), lines_of);
        file.styles = Styles::read(part(STYLES), limits);
        file.footnotes = (places(part(FOOTNOTE_REFERENCES), 2), places(part(FOOTNOTE_TEXTS), 0));
        file.endnotes = (places(part(ENDNOTE_REFERENCES), 2), places(part(ENDNOTE_TEXTS), 0));
        Ok(file)
    }

    /// Puts the text together from its pieces.
    fn read_pieces(&mut self, main: &[u8], table: &[u8], limits: &ReadLimits) -> Result<(), ExtractError> {
        let broken = || ExtractError::from(Damage::PiecesBroken);
        let mut at = 0;
        // Properties that pieces have stand before the table.
        while u8_at(table, at) == Some(1) {
            at += 3 + usize::from(u16_at(table, at + 1).ok_or_else(broken)?);
        }
        if u8_at(table, at) != Some(2) {
            return Err(broken());
        }
        let length = u32_at(table, at + 1).ok_or_else(broken)? as usize;
        let pieces = slice(table, at + 5, length).ok_or_else(broken)?;
        let count = pieces.len().saturating_sub(4) / 12;
        for piece in 0..count {
            let start = u32_at(pieces, piece * 4).ok_or_else(broken)?;
            let end = u32_at(pieces, piece * 4 + 4).ok_or_else(broken)?;
            let place = u32_at(pieces, (count + 1) * 4 + piece * 8 + 2).ok_or_else(broken)?;
            let length = end.checked_sub(start).ok_or_else(broken)? as usize;
            if (self.units.len() + length) as u64 > limits.text_bytes {
                return Err(Excess::Text.into());
            }
            let compressed = place & 0x4000_0000 != 0;
            let place = (place & 0x3FFF_FFFF) as usize;
            // A piece that goes beyond the file is read as far as it goes.
            if compressed {
                let place = place / 2;
                let text = main.get(place..).unwrap_or_default();
                let text = &text[..length.min(text.len())];
                let (decoded, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(text);
                self.units.extend(decoded.encode_utf16());
                self.bytes.extend((0..text.len()).map(|at| (place + at) as u32));
            } else {
                for at in 0..length {
                    let Some(unit) = u16_at(main, place + at * 2) else { break };
                    self.units.push(unit);
                    self.bytes.push((place + at * 2) as u32);
                }
            }
        }
        if self.units.is_empty() { Err(broken()) } else { Ok(()) }
    }

    /// What holds for the paragraph whose mark stands at a place.
    pub(super) fn lines_at(&self, place: usize) -> Lines {
        let Some((_, properties)) = self.properties(&self.lines, place) else { return Lines::default() };
        let style = u16_at(properties, 0).unwrap_or(0);
        let mut lines = self.styles.lines(style);
        lines.apply(&mut Sprms(properties.get(2..).unwrap_or_default()));
        lines
    }

    /// What holds for the letters at a place, and where that ends.
    pub(super) fn letters_at(&self, place: usize, end: usize, lines: &Lines) -> (Letters, usize) {
        let mut letters = lines.letters.clone();
        let Some((until, properties)) = self.properties(&self.letters, place) else {
            return (letters, (place + 1).max(place));
        };
        letters.apply(&mut Sprms(properties), |style| self.styles.letters(style));
        letters.format.line = letters.format.line.or(lines.line);
        // Within a piece bytes go up; at the next one the run is looked up again.
        let mut stop = place + 1;
        while stop < end && self.bytes[stop] < until && self.bytes[stop] > self.bytes[stop - 1] {
            stop += 1;
        }
        (letters, stop)
    }

    fn properties<'a>(&self, runs: &'a [(u32, Vec<u8>)], place: usize) -> Option<(u32, &'a [u8])> {
        let byte = *self.bytes.get(place)?;
        let (end, properties) = runs.get(runs.partition_point(|(end, _)| *end <= byte))?;
        Some((*end, properties))
    }

    /// Where each note is referred to, and where its text is, in the order of the references.
    pub(super) fn notes(&self) -> Vec<(usize, Range<usize>)> {
        let mut notes = Vec::new();
        for ((references, texts), story) in
            [(&self.footnotes, &self.stories.footnotes), (&self.endnotes, &self.stories.endnotes)]
        {
            let mut done = story.start;
            for (reference, text) in references.iter().zip(texts.windows(2)) {
                // What one note holds no other does.
                let start = (story.start + text[0] as usize).max(done);
                let end = (story.start + text[1] as usize).min(story.end);
                if start < end {
                    done = end;
                    notes.push((*reference as usize, start..end));
                }
            }
        }
        notes.sort_by_key(|(reference, _)| *reference);
        notes
    }
}

impl Stories {
    /// What of the `units` is in no story and in none of these notes.
    pub(super) fn beyond(&self, notes: &[(usize, Range<usize>)], units: usize) -> Vec<Range<usize>> {
        let Stories { text, headers, comments, boxes, header_boxes, .. } = self;
        let mut known: Vec<&Range<usize>> = [text, headers, comments, boxes, header_boxes].into();
        known.extend(notes.iter().map(|(_, text)| text));
        known.sort_by_key(|range| range.start);
        let mut beyond = Vec::new();
        let mut done = 0;
        for range in known.into_iter().chain([&(units..units)]) {
            if done < range.start {
                beyond.push(done..range.start);
            }
            done = done.max(range.end);
        }
        beyond
    }

    fn read(main: &[u8], units: usize) -> Stories {
        let mut start = 0;
        let mut next = |at: usize| {
            let length = u32_at(main, at).unwrap_or(0) as usize;
            let range = start..(start + length).min(units);
            start = range.end;
            range
        };
        let (text, footnotes, headers, _macros, comments) = (next(76), next(80), next(84), next(88), next(92));
        Stories { text, footnotes, headers, comments, endnotes: next(96), boxes: next(100), header_boxes: next(104) }
    }
}

/// The positions of a table with `data` bytes for each but the last; the reference beyond the end is none.
fn places(table: &[u8], data: usize) -> Vec<u32> {
    let count = table.len().saturating_sub(4) / (4 + data);
    let count = if data == 0 { count + 1 } else { count };
    (0..count).filter_map(|at| u32_at(table, at * 4)).collect()
}

/// The properties on one page, by where each run ends.
type OfPage = fn(&[u8], usize, usize) -> Option<Vec<u8>>;

fn pages(main: &[u8], table: &[u8], of_page: OfPage) -> Vec<(u32, Vec<u8>)> {
    let count = table.len().saturating_sub(4) / 8;
    let mut runs: Vec<(u32, Vec<u8>)> = Vec::new();
    for number in 0..count {
        let Some(page) = u32_at(table, (count + 1) * 4 + number * 4) else { break };
        let Some(page) = slice(main, (page as usize).saturating_mul(PAGE), PAGE) else { continue };
        let of_this = usize::from(page[PAGE - 1]);
        for run in 0..of_this {
            let Some(end) = u32_at(page, run * 4 + 4) else { break };
            runs.push((end, of_page(page, of_this, run).unwrap_or_default()));
        }
    }
    runs.sort_by_key(|(end, _)| *end);
    runs
}

fn letters_of(page: &[u8], runs: usize, run: usize) -> Option<Vec<u8>> {
    let at = usize::from(u8_at(page, (runs + 1) * 4 + run)?) * 2;
    let length = u8_at(page, at).filter(|_| at > 0)?;
    slice(page, at + 1, length.into()).map(<[u8]>::to_vec)
}

fn lines_of(page: &[u8], runs: usize, run: usize) -> Option<Vec<u8>> {
    let at = usize::from(u8_at(page, (runs + 1) * 4 + run * 13)?) * 2;
    let (start, length) = match u8_at(page, at).filter(|_| at > 0)? {
        0 => (at + 2, usize::from(u8_at(page, at + 1)?) * 2),
        words => (at + 1, usize::from(words) * 2 - 1),
    };
    slice(page, start, length).map(<[u8]>::to_vec)
}
