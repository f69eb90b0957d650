//! Files, folders, bytes and readers.

use super::*;
use copytrace_text::Metadata;

#[test]
fn a_folder_gives_its_files_in_sorted_order_with_relative_ids() {
    let folder = folder(&[
        ("b.txt", b"two"),
        ("a/z.MD", b"one"),
        ("a/.hidden.txt", b"no"),
        (".git/x.txt", b"no"),
        ("c.html", b"<p>three &amp; a half</p>"),
        ("image.png", b"no"),
        ("d.jsonl", b"{\"id\":7,\"text\":\"four\"}\n\n{\"text\":\"five\"}\n"),
        ("论文/第一章.txt", "中文".as_bytes()),
    ]);
    let (items, skipped) = read_all(&[folder.path().to_owned()], &ReadLimits::default());
    assert_eq!(
        items,
        [
            text("a/z.MD", "one"),
            text("b.txt", "two"),
            text("c.html", "three & a half"),
            text("7", "four"),
            text("d.jsonl:3", "five"),
            text("论文/第一章.txt", "中文"),
        ]
    );
    assert_eq!(skipped, 1);
}

#[test]
fn the_folder_given_may_be_hidden_or_end_in_a_slash_or_be_the_current_one() {
    let folder = folder(&[(".work/a/b.txt", b"x")]);
    let hidden = folder.path().join(".work");
    for path in [hidden.clone(), hidden.join(""), hidden.join("."), hidden.join("a/..")] {
        assert_eq!(read(&path), [text("a/b.txt", "x")], "{}", path.display());
    }
}

#[test]
fn several_paths_are_read_in_the_order_given() {
    let folder = folder(&[("b/x.txt", b"one"), ("a/y.txt", b"two")]);
    let paths = [folder.path().join("b"), folder.path().join("a/y.txt"), folder.path().join("missing")];
    let (items, _) = read_all(&paths, &ReadLimits::default());
    assert_eq!(items, [text("x.txt", "one"), text("y.txt", "two"), error("missing", "missing")]);
}

#[test]
fn a_file_that_is_named_is_read_whatever_its_ending_if_it_holds_text() {
    let folder = folder(&[("README", b"text"), ("a.rst", b"more"), ("thesis.xls", b"Rar!\x1A\x07 ...")]);
    assert_eq!(read(folder.path().join("README")), [text("README", "text")]);
    assert_eq!(read(folder.path().join("a.rst")), [text("a.rst", "more")]);
    assert_eq!(
        messages(folder.path().join("thesis.xls"), &ReadLimits::default()),
        ["thesis.xls: a RAR archive; not readable by this version"]
    );
}

#[test]
fn each_bad_file_is_named_with_its_reason_and_the_rest_is_read() {
    let folder = folder(&[
        ("a.txt", b""),
        ("b.txt", b" \n\t"),
        ("c.txt", b"\0\x01\x02junk\0"),
        ("d.txt", b"good"),
        ("e.html", b"<p></p>"),
        ("f.md", &[b'x'; 101]),
        ("g.txt", &[b'x'; 100]),
    ]);
    let limits = ReadLimits { file_bytes: 100, ..ReadLimits::default() };
    assert_eq!(
        read_within(folder.path(), &limits),
        [
            error("a.txt", "no-text"),
            error("b.txt", "only-white-space"),
            error("c.txt", "binary"),
            text("d.txt", "good"),
            error("e.html", "no-text"),
            error("f.md", "larger"),
            text("g.txt", &"x".repeat(100)),
        ]
    );
    assert_eq!(messages(folder.path().join("f.md"), &limits), ["f.md: larger than the limit of 100 bytes"]);
    assert_eq!(messages(folder.path().join("b.txt"), &limits), ["b.txt: only white space in it"]);
    assert_eq!(messages(folder.path().join("z.txt"), &limits), ["z.txt: no such file or folder"]);
}

#[test]
fn a_folder_with_nothing_to_read_is_an_error() {
    let folder = folder(&[("x/image.png", b"no")]);
    assert_eq!(messages(folder.path().join("x"), &ReadLimits::default()), ["x: no file in it of a kind that is read"]);
}

#[test]
fn bytes_and_readers_are_read_as_a_file_of_their_name() {
    let limits = ReadLimits { file_bytes: 60, ..ReadLimits::default() };
    let read = |inputs: Vec<Input>| -> Vec<Item> {
        Inputs::new(inputs, limits.clone()).map(|item| simplified(item.and_then(|raw| raw.extract(&limits)))).collect()
    };
    let lines = b"{\"id\":7,\"text\":\"four\"}\n\n{\"text\":\"five\"}\n".as_slice();
    let of_lines = [text("7", "four"), text("d.jsonl:3", "five")];
    let cases: [(&str, &[u8], &[Item]); 5] = [
        ("-", b"some text", &[text("-", "some text")]),
        ("a/b.html", b"<p>some &amp; more</p>", &[text("a/b.html", "some & more")]),
        ("d.jsonl", lines, &of_lines),
        ("-", b"", &[error("-", "no-text")]),
        ("-", &[b'x'; 61], &[error("-", "larger")]),
    ];
    for (name, bytes, expected) in cases {
        assert_eq!(read(vec![Input::bytes(name, bytes)]), expected, "{name}");
        assert_eq!(read(vec![Input::reader(name, bytes)]), expected, "{name}");
        let kept = Input::reader(name, bytes).kept(limits.file_bytes).unwrap();
        assert_eq!(read(vec![kept.again(), kept]), [expected, expected].concat(), "{name}");
    }
}

#[test]
fn what_the_caller_knows_counts_before_what_a_document_says_of_itself() {
    let own = |title: &str, author: &str| Metadata {
        title: Some(title.to_owned()),
        author: Some(author.to_owned()),
        ..Metadata::default()
    };
    let known = Metadata { author: Some("A. Reed".to_owned()), ..Metadata::default() };
    let document =
        Document { id: "1".into(), text: "text".into(), metadata: own("Marshes", "?"), ..Document::default() };
    let line = b"{\"id\":\"2\",\"text\":\"text\",\"title\":\"Marshes\"}".as_slice();
    let inputs = [Input::from(document), Input::bytes("x.jsonl", line)].map(|input| input.with_metadata(known.clone()));
    let limits = ReadLimits::default();
    for read in Inputs::new(inputs, limits.clone()) {
        assert_eq!(read.unwrap().extract(&limits).unwrap().metadata, own("Marshes", "A. Reed"));
    }
}

#[test]
fn sizes_are_known_before_reading() {
    let folder = folder(&[("a.txt", b"12345"), ("b.jsonl", b"{\"text\":\"x\"}\n")]);
    let sizes: Vec<u64> = Inputs::open(&[folder.path().to_owned()], ReadLimits::default())
        .map(|item| item.unwrap().approximate_bytes())
        .collect();
    assert_eq!(sizes, [5, 12]);
}

#[test]
fn inputs_and_documents_can_move_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<Inputs>();
    is_send::<RawDocument>();
    is_send::<ReadError>();
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_inside_the_folder_are_followed_and_loops_survived() {
        let folder = folder(&[("a/x.txt", b"one"), ("b/y.txt", b"two")]);
        symlink("../b", folder.path().join("a/to-b")).unwrap();
        symlink("..", folder.path().join("a/up")).unwrap();
        symlink("x.txt", folder.path().join("a/link.txt")).unwrap();
        let (items, skipped) = read_all(&[folder.path().to_owned()], &ReadLimits::default());
        assert_eq!(
            items,
            [text("a/link.txt", "one"), text("a/to-b/y.txt", "two"), text("a/x.txt", "one"), text("b/y.txt", "two")]
        );
        assert_eq!(skipped, 1);
    }

    #[test]
    fn a_link_out_of_the_folder_is_named_and_not_followed() {
        let folder = folder(&[("in/x.txt", b"one"), ("out/y.txt", b"two"), ("out/z.png", b"no")]);
        symlink("../out", folder.path().join("in/folder")).unwrap();
        symlink("../out/y.txt", folder.path().join("in/file.txt")).unwrap();
        symlink("../out/z.png", folder.path().join("in/z.png")).unwrap();
        symlink("../out/.none", folder.path().join("in/.hidden.txt")).unwrap();
        symlink("nowhere", folder.path().join("in/broken.txt")).unwrap();
        assert_eq!(
            read(folder.path().join("in")),
            [
                error("broken.txt", "missing"),
                error("file.txt", "outside-folder"),
                error("folder", "outside-folder"),
                text("x.txt", "one"),
            ]
        );
        // The path given may itself be a link.
        symlink("in", folder.path().join("link")).unwrap();
        assert!(read(folder.path().join("link")).contains(&text("x.txt", "one")));
    }

    #[test]
    fn a_name_that_is_not_utf8_is_shown_with_replacements() {
        let folder = folder(&[]);
        let name = OsStr::from_bytes(b"\xC4\xE3.txt");
        // Some file systems refuse such names.
        if fs::write(folder.path().join(name), b"x").is_ok() {
            assert_eq!(read(folder.path()), [text("\u{FFFD}\u{FFFD}.txt", "x")]);
        }
    }

    #[test]
    fn control_characters_of_a_name_do_not_reach_the_terminal() {
        let folder = folder(&[("a\x1B[31m\n.txt", b"")]);
        let paths = [folder.path().to_owned()];
        let error = Inputs::open(&paths, ReadLimits::default())
            .find_map(|item| item.and_then(|raw| raw.extract(&ReadLimits::default())).err())
            .unwrap();
        assert_eq!(error.id(), "a\x1B[31m\n.txt");
        assert!(!error.to_string().contains(char::is_control));
    }

    #[test]
    fn what_may_not_be_read_is_named() {
        let folder = folder(&[("a.txt", b"x"), ("closed/b.txt", b"y"), ("c.txt", b"z")]);
        let closed = folder.path().join("closed");
        fs::set_permissions(folder.path().join("a.txt"), fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        // The superuser may read everything.
        let is_superuser = fs::read(folder.path().join("a.txt")).is_ok();
        let items = read(folder.path());
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        if !is_superuser {
            assert_eq!(
                items,
                [error("a.txt", "permission-denied"), text("c.txt", "z"), error("closed", "permission-denied"),]
            );
        }
    }

    #[test]
    fn a_socket_is_named_and_does_not_block() {
        let folder = folder(&[]);
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("s.txt")).unwrap();
        assert_eq!(read(folder.path()), [error("s.txt", "no-file")]);
    }
}

#[test]
fn what_is_passed_over_by_its_name_is_named() {
    let files: [(&str, &[u8]); 5] =
        [("a.txt", b"x"), (".b.txt", b"no"), ("~$c.docx", b"no"), ("in/.d/e.txt", b"no"), ("in/~$f.txt", b"no")];
    let folder = folder(&files);
    let mut inputs = Inputs::open(&[folder.path().to_owned()], ReadLimits::default());
    assert_eq!(inputs.by_ref().count(), 1);
    assert_eq!(inputs.hidden(), [".b.txt", "in/.d", "in/~$f.txt", "~$c.docx"]);
}

#[test]
fn no_file_of_a_latex_thesis_disappears() {
    // A file is a row of its own unless its text was read in the document that names it.
    let main = |body: &str| format!("\\documentclass{{book}}\\begin{{document}}Master text. {body}");
    for (body, is_part) in [
        ("\\input{two}\\end{document}", true),
        ("\\newcommand{\\x}{\\input{two}}\\x\\end{document}", true),
        ("\\newcommand{\\x}{two}\\input{\\x}\\end{document}", true),
        ("\\sbox0{\\input{two}}\\usebox0\\end{document}", true),
        ("\\newcommand{\\x}{\\input{two}}\\end{document}", false),
        ("\\lstinline|\\input{two}|\\end{document}", false),
        ("% \\input{two}\n\\end{document}", false),
        ("\\end{document}\\input{two}", false),
        ("\\stop\\input{two}", false),
        ("\\setbox0=\\hbox{\\input{two}}\\end{document}", false),
        ("\\newcommand{\\x}[1]{}\\x{\\input{two}}\\end{document}", false),
        ("\\includeonly{one}\\include{two}\\end{document}", true),
    ] {
        let main = main(body);
        let folder = folder(&[("main.tex", main.as_bytes()), ("two.tex", b"Text of the second file.")]);
        let ids: Vec<String> = read(folder.path()).into_iter().map(|item| item.unwrap().0).collect();
        let expected: &[&str] = if is_part { &["main.tex"] } else { &["main.tex", "two.tex"] };
        assert_eq!(ids, expected, "{body}");
    }
}

#[test]
fn a_latex_thesis_of_several_files_is_one_document() {
    let main = b"\\documentclass{book}\\begin{document}one \\include{chapters/two}\\end{document}";
    let folder = folder(&[
        ("thesis/main.tex", main),
        ("thesis/chapters/two.tex", b"two"),
        ("thesis/notes.tex", b"never included"),
        ("essay.tex", b"\\documentclass{article}\\begin{document}essay\\end{document}"),
    ]);
    let mut inputs = Inputs::open(&[folder.path().to_owned()], ReadLimits::default());
    let documents: Vec<Item> =
        inputs.by_ref().map(|item| simplified(item.and_then(|raw| raw.extract(&ReadLimits::default())))).collect();
    let expected =
        [text("essay.tex", "essay"), text("thesis/main.tex", "one\n\ntwo"), text("thesis/notes.tex", "never included")];
    assert_eq!(documents, expected);
    assert_eq!((inputs.skipped(), inputs.included()), (0, 1));
    // A file that is named is read for itself.
    assert_eq!(read(folder.path().join("thesis/chapters/two.tex")), [text("two.tex", "two")]);
}

#[test]
fn a_latex_project_is_one_document_wherever_its_class_and_its_chapters_are() {
    for (files, rows) in LATEX_PROJECTS {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        let folder = folder(&files);
        let ids: Vec<String> = read(folder.path()).into_iter().map(|item| item.unwrap().0).collect();
        assert_eq!(ids, *rows);
        let mut inputs = Inputs::open(&[folder.path().to_owned()], ReadLimits::default());
        assert_eq!(inputs.by_ref().count(), rows.len());
        assert_eq!((inputs.skipped(), inputs.included() as usize), (0, files.len() - rows.len()), "{rows:?}");
    }
    // What supports documents belongs to those beside or above it only.
    let folder = folder(&[("a/main.tex", b"text"), ("a/b/x.cls", b"x"), ("refs.bib", b"x"), ("c/x.sty", b"x")]);
    let mut inputs = Inputs::open(&[folder.path().to_owned()], ReadLimits::default());
    assert_eq!(inputs.by_ref().count(), 1);
    assert_eq!((inputs.included(), inputs.unknown()), (1, &["c/x.sty".to_owned(), "refs.bib".to_owned()][..]));
}
