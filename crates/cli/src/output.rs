//! Tables in files and on standard output.

use copytrace::report::tables::Table;
use copytrace::report::whole_file::WriteError;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// Begins a table in the file of this path, or on standard output.
pub fn table(path: Option<&Path>, columns: &str) -> Result<Table, WriteError> {
    if let Some(path) = path {
        return Table::create(path, columns);
    }
    let (name, stdout) = ("standard output", io::stdout());
    match stdout.is_terminal() {
        true => Table::to_writer(name, Terminal { stdout, before: 0 }, columns),
        false => Table::to_writer(name, stdout, columns),
    }
}

/// Standard output for texts.
pub fn text() -> Box<dyn Write> {
    let stdout = io::stdout();
    match stdout.is_terminal() {
        true => Box::new(Terminal { stdout, before: 0 }),
        false => Box::new(BufWriter::new(stdout)),
    }
}

/// A terminal, which would obey control characters in what others chose as names.
struct Terminal {
    stdout: io::Stdout,
    /// The byte that was written last.
    before: u8,
}

impl Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let shown = shown(bytes, self.before);
        self.before = bytes.last().copied().unwrap_or(self.before);
        self.stdout.write_all(&shown).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// UTF-8 as a terminal may get it: `?` for control characters other than tabs and ends of lines, and `¿` for those beyond
/// ASCII (C1), whose first byte may be the one that came `before`.
fn shown(bytes: &[u8], before: u8) -> Vec<u8> {
    let befores = std::iter::once(before).chain(bytes.iter().copied());
    let one = |(before, &byte): (u8, &u8)| match byte {
        b'\r' | b'\n' | b'\t' => byte,
        _ if byte.is_ascii_control() => b'?',
        0x80..=0x9f if before == 0xc2 => 0xbf,
        _ => byte,
    };
    befores.zip(bytes).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters_wherever_a_buffer_ends() {
        let text = "id\u{1b}[2J,潮汐é\u{9b}31m\u{7f}\r\n\tß";
        let expected = "id?[2J,潮汐é\u{bf}31m?\r\n\tß";
        for cut in 0..=text.len() {
            let (head, tail) = text.as_bytes().split_at(cut);
            let whole = [shown(head, 0), shown(tail, head.last().copied().unwrap_or(0))].concat();
            assert_eq!(String::from_utf8(whole).unwrap(), expected, "cut at byte {cut}");
        }
    }
}
