//! Zip archives.

use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// An archive with the given entries, deflated.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(entries, CompressionMethod::Deflated)
}

fn zip_with(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Writes other bytes of the same length wherever `from` stands.
fn replaced(bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes;
    let mut at = 0;
    while at + from.len() <= bytes.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
        at += 1;
    }
    bytes
}

#[test]
fn entries_have_their_path_as_id_after_the_archives_own_if_found_in_a_folder() {
    let archive = zip(&[
        ("b.txt", b"one"),
        ("a/x.html", b"<p>two</p>"),
        ("a/lines.jsonl", b"{\"id\":\"l\",\"text\":\"three\"}\n{\"text\":\"four\"}\n"),
        ("image.png", b"no"),
        ("__MACOSX/._b.txt", b"no"),
        (".hidden/c.txt", b"no"),
    ]);
    let folder = folder(&[("sub/all.zip", &archive), ("z.txt", b"five")]);
    let direct = [text("b.txt", "one"), text("a/x.html", "two"), text("l", "three"), text("a/lines.jsonl:2", "four")];
    let (items, skipped) = read_all(&[folder.path().join("sub/all.zip")], &ReadLimits::default());
    assert_eq!((items.as_slice(), skipped), (direct.as_slice(), 1));
    let (items, skipped) = read_all(&[folder.path().to_owned()], &ReadLimits::default());
    assert_eq!(
        items,
        [
            text("sub/all.zip/b.txt", "one"),
            text("sub/all.zip/a/x.html", "two"),
            text("l", "three"),
            text("sub/all.zip/a/lines.jsonl:2", "four"),
            text("z.txt", "five"),
        ]
    );
    assert_eq!(skipped, 1);
}

#[test]
fn of_several_archives_that_are_given_each_entry_has_the_name_of_its_archive_before_its_own() {
    let archives = folder(&[("ann.zip", &zip(&[("main.txt", b"one")])), ("bob.zip", &zip(&[("main.txt", b"two")]))]);
    let [ann, bob] = ["ann.zip", "bob.zip"].map(|name| archives.path().join(name));
    let (items, _) = read_all(&[ann.clone(), bob], &ReadLimits::default());
    assert_eq!(items, [text("ann.zip/main.txt", "one"), text("bob.zip/main.txt", "two")]);
    let (items, _) = read_all(&[ann], &ReadLimits::default());
    assert_eq!(items, [text("main.txt", "one")]);
}

#[test]
fn stored_and_zstandard_entries_are_read_too() {
    for method in [CompressionMethod::Stored, CompressionMethod::Zstd] {
        let folder = folder(&[("a.zip", &zip_with(&[("x.txt", b"one")], method))]);
        assert_eq!(read(folder.path().join("a.zip")), [text("x.txt", "one")]);
    }
}

#[test]
fn names_that_would_lead_elsewhere_are_made_harmless() {
    let cases: &[(&str, &str)] = &[
        ("../../etc/x.txt", "etc/x.txt"),
        ("/etc/x.txt", "etc/x.txt"),
        ("a\\..\\..\\x.txt", "a/x.txt"),
        ("C:\\x.txt", "C/x.txt"),
        ("a//./x.txt", "a/x.txt"),
        ("a\n\x1B[0m.txt", "a\u{FFFD}\u{FFFD}[0m.txt"),
    ];
    for (name, id) in cases {
        let folder = folder(&[("a.zip", &zip(&[(name, b"x")]))]);
        assert_eq!(read(folder.path().join("a.zip")), [text(id, "x")], "{name}");
    }
}

#[test]
fn names_in_gbk_are_decoded() {
    let gbk = encoding_rs::GBK.encode("论文/第一章.txt").0;
    let placeholder = "_".repeat(gbk.len() - 4) + ".txt";
    let archive = replaced(zip(&[(&placeholder, b"x")]), placeholder.as_bytes(), &gbk);
    let folder = folder(&[("a.zip", &archive), ("b.zip", &zip(&[("论文/第一章.txt", b"y")]))]);
    assert_eq!(read(folder.path().join("a.zip")), [text("论文/第一章.txt", "x")]);
    assert_eq!(read(folder.path().join("b.zip")), [text("论文/第一章.txt", "y")]);
}

#[test]
fn archives_links_and_encrypted_entries_inside_are_not_followed() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["in.zip", "in.jsonl.gz", "b.txt"] {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(b"text").unwrap();
    }
    writer.add_symlink("link.txt", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let folder = folder(&[("a.zip", &writer.finish().unwrap().into_inner())]);
    assert_eq!(
        read(folder.path().join("a.zip")),
        [
            error("in.zip", "nested-archive"),
            error("in.jsonl.gz", "nested-archive"),
            text("b.txt", "text"),
            error("link.txt", "archived-link"),
        ]
    );
    assert_eq!(
        messages(folder.path().join("a.zip"), &ReadLimits::default())[0],
        "a.zip/in.zip: an archive inside an archive; unpack it first"
    );
    // Bit 0 of the flags, in the local header (at 6) and in the directory (at 8), says encrypted.
    let mut encrypted = zip(&[("b.txt", b"text")]);
    let directory = encrypted.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    encrypted[6] |= 1;
    encrypted[directory + 8] |= 1;
    fs::write(folder.path().join("a.zip"), encrypted).unwrap();
    assert_eq!(
        messages(folder.path().join("a.zip"), &ReadLimits::default()),
        ["a.zip/b.txt: protected by a password; pack it without one"]
    );
}

#[test]
fn a_damaged_entry_is_named_and_the_others_are_read() {
    let archive =
        zip_with(&[("a.txt", b"first"), ("b.txt", b"second"), ("c.txt", b"third")], CompressionMethod::Stored);
    let folder = folder(&[("a.zip", &replaced(archive, b"second", b"sec0nd"))]);
    assert_eq!(
        read(folder.path().join("a.zip")),
        [text("a.txt", "first"), error("b.txt", "entry-damaged"), text("c.txt", "third")]
    );
}

#[test]
fn what_is_no_archive_or_holds_nothing_is_an_error() {
    let whole = zip(&[("a.txt", b"first")]);
    let folder = folder(&[
        ("a.zip", b"no zip"),
        ("b.zip", &whole[..whole.len() - 10]),
        ("c.zip", b""),
        ("d.zip", &zip(&[])),
        ("e.zip", &zip(&[("image.png", b"no")])),
    ]);
    assert_eq!(
        read(folder.path()),
        [
            error("a.zip", "no-archive"),
            error("b.zip", "no-archive"),
            error("c.zip", "no-text"),
            error("d.zip", "no-document"),
            error("e.zip", "no-document"),
        ]
    );
}

#[test]
fn a_bomb_is_stopped_while_it_expands() {
    let zeros = vec![b'a'; 3_000_000];
    let archive = zip(&[("a.txt", b"before"), ("bomb.txt", &zeros), ("z.txt", b"after")]);
    let folder = folder(&[("a.zip", &archive)]);
    let path = folder.path().join("a.zip");
    let by_ratio = ReadLimits { archive_unchecked_bytes: 1000, archive_ratio: 20, ..ReadLimits::default() };
    assert_eq!(
        read_within(&path, &by_ratio),
        [text("a.txt", "before"), error("bomb.txt", "entry-expands"), text("z.txt", "after")]
    );
    let by_size = ReadLimits { archive_bytes: 1_000_000, ..ReadLimits::default() };
    assert_eq!(read_within(&path, &by_size), [text("a.txt", "before"), error("bomb.txt", "archive-expands")]);
    assert_eq!(
        messages(&path, &by_size),
        ["a.zip/bomb.txt: the archive expands to more than 976 KiB; the rest of it is not read"]
    );
    let by_file = ReadLimits { file_bytes: 1_000_000, ..ReadLimits::default() };
    assert_eq!(read_within(&path, &by_file)[1], error("bomb.txt", "larger"));
    let by_entries = ReadLimits { archive_entries: 2, ..ReadLimits::default() };
    assert_eq!(read_within(&path, &by_entries), [error("a.zip", "many-entries")]);
}

#[test]
fn declared_sizes_are_not_trusted() {
    let zeros = vec![b'a'; 3_000_000];
    let archive = replaced(zip(&[("bomb.txt", &zeros)]), &3_000_000u32.to_le_bytes(), &10u32.to_le_bytes());
    let folder = folder(&[("a.zip", &archive)]);
    let limits = ReadLimits { archive_bytes: 1000, ..ReadLimits::default() };
    let items = read_within(folder.path().join("a.zip"), &limits);
    assert!(matches!(items.as_slice(), [Err(_)]), "{items:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_changed_or_cut_archive_is_survived(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut archive = zip(&[("a.txt", b"first"), ("b/c.html", b"<p>second</p>"), ("d.jsonl", b"{\"text\":\"x\"}")]);
        for (at, value) in changes {
            let at = at.index(archive.len());
            archive[at] = value;
        }
        if is_cut {
            archive.truncate(cut.index(archive.len()));
        }
        let folder = folder(&[("a.zip", &archive)]);
        prop_assert!(!read(folder.path()).is_empty());
    }
}

#[test]
fn a_latex_project_in_an_archive_is_the_document_that_it_is_in_a_folder() {
    for (files, rows) in LATEX_PROJECTS {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        let (unpacked, packed) = (folder(&files), folder(&[("a.zip", &zip(&files))]));
        let in_archive = read(packed.path().join("a.zip"));
        assert_eq!(in_archive, read(unpacked.path()));
        assert_eq!(in_archive.len(), rows.len());
        // Each piece of text is there, once.
        let texts: String = in_archive.into_iter().map(|item| item.unwrap().1 + "\n").collect();
        for piece in ["Master.", "Chapter one.", "Chapter two.", "Section two.", "Section three.", "Table one."] {
            let written = files.iter().filter(|(_, text)| String::from_utf8_lossy(text).contains(piece)).count();
            assert_eq!(texts.matches(piece).count(), written, "{rows:?} {piece}");
        }
    }
}

#[test]
fn sources_of_an_archive_read_nothing_outside_of_their_folder() {
    let master =
        b"\\documentclass{book}\\begin{document}Master. \\input{../b/two}\\input{/b/two}\\end{document}".as_slice();
    let folder = folder(&[("a.zip", &zip(&[("a/main.tex", master), ("b/two.tex", b"Text of another student.")]))]);
    let expected = [text("a/main.tex", "Master."), text("b/two.tex", "Text of another student.")];
    assert_eq!(read(folder.path().join("a.zip")), expected);
}
