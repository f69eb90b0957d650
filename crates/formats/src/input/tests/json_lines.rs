//! JSON lines, plain and compressed.

use std::io::Write;

use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// Lines that compress badly, so that compressed data are cut inside of them.
fn lines(count: usize) -> String {
    (0..count as u64)
        .map(|n| format!("{{\"id\":\"d{n}\",\"text\":\"text {:x}\"}}\n", (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
        .collect()
}

#[test]
fn every_compression_gives_the_same_documents() {
    let lines = lines(50);
    let twice = [gzip(&lines.as_bytes()[..777]), gzip(&lines.as_bytes()[777..])].concat();
    let folder = folder(&[
        ("a.jsonl", lines.as_bytes()),
        ("b.NDJSON", lines.trim_end().as_bytes()),
        ("c.jsonl.gz", &gzip(lines.as_bytes())),
        ("d.ndjson.zst", &zstandard(lines.as_bytes())),
        ("e.jsonl.gz", &twice),
    ]);
    let items = read(folder.path());
    assert_eq!(items.len(), 250);
    assert!(items[0].as_ref().is_ok_and(|(id, _)| id == "d0"));
    for chunk in items.chunks(50) {
        assert_eq!(chunk, &items[..50]);
    }
}

#[test]
fn each_bad_line_is_named_by_its_number_and_the_rest_is_read() {
    let folder = folder(&[(
        "a.jsonl",
        b"{\"text\":\"one\"}\nnonsense\n\n{\"id\":\"x\"}\n{\"id\":\"y\",\"text\":1}\r\n{\"text\":\"two\"}",
    )]);
    let path = folder.path().join("a.jsonl");
    assert_eq!(
        read(&path),
        [
            text("a.jsonl:1", "one"),
            error("a.jsonl:2", "invalid-json"),
            error("x", "no-text-field"),
            error("y", "text-not-string"),
            text("a.jsonl:6", "two"),
        ]
    );
    assert_eq!(
        messages(&path, &ReadLimits::default()),
        [
            "a.jsonl:2: not a JSON object: it does not start with {",
            "a.jsonl:4: no `text` field",
            "a.jsonl:5: `text` is not a string",
        ]
    );
}

#[test]
fn a_line_beyond_the_limit_is_skipped_and_named() {
    let line = |length: usize| format!("{{\"text\":\"{}\"}}", "x".repeat(length - 11));
    let lines = [line(100), line(101), line(5000), line(99), line(102)].join("\n");
    let folder = folder(&[("a.jsonl", lines.as_bytes()), ("b.jsonl.zst", &zstandard(lines.as_bytes()))]);
    let limits = ReadLimits { line_bytes: 100, ..ReadLimits::default() };
    for name in ["a.jsonl", "b.jsonl.zst"] {
        let items = read_within(folder.path().join(name), &limits);
        let id = |line: u32| format!("{name}:{line}");
        assert_eq!(
            items,
            [
                text(&id(1), &"x".repeat(89)),
                error(&id(2), "long-line"),
                error(&id(3), "long-line"),
                text(&id(4), &"x".repeat(88)),
                error(&id(5), "long-line"),
            ]
        );
    }
    assert_eq!(
        messages(folder.path().join("a.jsonl"), &limits)[0],
        "a.jsonl:2: a line longer than the limit of 100 bytes"
    );
}

#[test]
fn a_file_without_lines_has_no_text() {
    let folder = folder(&[
        ("a.jsonl", b""),
        ("b.jsonl", b"\n \n"),
        ("c.jsonl.gz", b""),
        ("d.jsonl.zst", b""),
        ("e.jsonl.gz", &gzip(b"")),
    ]);
    let items = read(folder.path());
    assert_eq!(items.len(), 5);
    for item in items {
        assert!(matches!(&item, Err((_, code)) if code == "no-text"), "{item:?}");
    }
}

#[test]
fn what_is_not_compressed_as_its_name_says_is_damaged() {
    let plain = lines(3);
    let folder = folder(&[("a.jsonl.gz", plain.as_bytes()), ("b.jsonl.zst", plain.as_bytes())]);
    assert_eq!(read(folder.path()), [error("a.jsonl.gz", "lines-damaged"), error("b.jsonl.zst", "lines-damaged")]);
}

#[test]
fn a_bomb_is_stopped_at_the_limit() {
    let good = "{\"id\":\"first\",\"text\":\"x\"}\n";
    let bomb = format!("{good}{}", "\n".repeat(3_000_000));
    let folder = folder(&[("a.jsonl.gz", &gzip(bomb.as_bytes())), ("b.jsonl.zst", &zstandard(bomb.as_bytes()))]);
    let by_ratio = ReadLimits { archive_unchecked_bytes: 1000, archive_ratio: 20, ..ReadLimits::default() };
    let by_size = ReadLimits { archive_bytes: 1 << 20, ..ReadLimits::default() };
    for limits in [by_ratio, by_size] {
        assert_eq!(
            read_within(folder.path(), &limits),
            [
                text("first", "x"),
                error("a.jsonl.gz", "lines-expand"),
                text("first", "x"),
                error("b.jsonl.zst", "lines-expand"),
            ]
        );
    }
    assert_eq!(read(folder.path()), [text("first", "x"), text("first", "x")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn documents_before_a_cut_are_read_and_the_cut_is_named(count in 1usize..300, share in 0.0f64..1.0) {
        let lines = lines(count);
        for (name, bytes) in [("a.jsonl.gz", gzip(lines.as_bytes())), ("a.jsonl.zst", zstandard(lines.as_bytes()))] {
            let cut = ((bytes.len() as f64 * share) as usize).clamp(1, bytes.len() - 1);
            let folder = folder(&[(name, &bytes[..cut])]);
            let items = read(folder.path().join(name));
            let (last, before) = items.split_last().unwrap();
            prop_assert_eq!(last, &error(name, "truncated"));
            for (item, line) in before.iter().zip(0..) {
                prop_assert_eq!(&item.as_ref().unwrap().0, &format!("d{line}"));
            }
            prop_assert!(before.len() <= count);
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300), ending in "jsonl(\\.gz|\\.zst)?") {
        let folder = folder(&[(&format!("a.{ending}"), &bytes)]);
        for item in read(folder.path()) {
            prop_assert!(item.is_err());
        }
    }

    #[test]
    fn damaged_compressed_data_are_survived(at in 0usize..2000, value in any::<u8>(), is_gzip in any::<bool>()) {
        let lines = lines(100);
        let (name, mut bytes) = if is_gzip {
            ("a.jsonl.gz", gzip(lines.as_bytes()))
        } else {
            ("a.jsonl.zst", zstandard(lines.as_bytes()))
        };
        let at = at % bytes.len();
        bytes[at] = value;
        let folder = folder(&[(name, &bytes)]);
        prop_assert!(!read(folder.path()).is_empty());
    }
}
