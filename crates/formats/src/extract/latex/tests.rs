//! Small sources and their text.

use super::*;
use copytrace_text::layout::Mark;

fn text(source: &str) -> String {
    extract(source.as_bytes(), None, &ReadLimits::default()).unwrap().text
}

#[test]
fn text_is_read_and_commands_go() {
    let cases = [
        ("\\documentclass{a}\\begin{document}text\\end{document} no", "text"),
        ("one\ntwo\n\nthree % no\n four", "one two\n\nthree four"),
        ("潮汐\n沼泽", "潮汐沼泽"),
        ("a $x^2$ b \\(y\\) c \\[z\\] d $$w$$ e", "a x2 b y c z d w e"),
        ("a \\begin{equation}x\\end{equation} b", "a\n\nx\n\nb"),
        ("a \\iffalse no \\iftrue no \\fi no \\else b\\fi{} c", "a b c"),
        ("\\newif\\ifdraft a\\ifdraft no\\else b\\fi \\drafttrue\\ifdraft c\\else no\\fi", "abc"),
        ("\\newcommand{\\x}[1]{}a\\x{no}b \\newcommand\\y[2]{<#2>}\\y{no}{c}", "ab <c>"),
        ("\\begin{pspicture}(0,0)\\psline(1,2)\\end{pspicture}a\\phantom{no}b", "ab"),
        ("see \\url{http://x/a%20b} there", "see http://x/a%20b there"),
        (
            "\\begin{displayquote}[{\\cite[12]{marsh}}]Silt\\end{displayquote} \\section[a {[}b{]}]{Head}",
            "Silt\n\nHead",
        ),
        ("\\begin{description}\\item[Tide] flows\\end{description}", "Tide flows"),
        ("a {\\color{white} b} c", "a b c"),
        ("a \\begin{comment}no\\end{comment}b", "a\n\nb"),
        ("\\textbf{bold} and \\emph{slanted \\textit{deep}}", "bold and slanted deep"),
        ("\\section{Head}\\label{s}Text", "Head\n\nText"),
        ("``so'' it's 1--2---three", "“so” it’s 1–2—three"),
        (
            "\\def\\C{\\normalfont\\text{C}}\\newcommand{\\R}{\\mathbb{R}}a $\\C^n$, $\\R$ and \\C{} b",
            "a Cn, R and C b",
        ),
        ("caf\\'e na\\\"{i}ve \\c{c}a \\&c. 5\\,\\%", "café naïve ça &c. 5 %"),
        ("a\\footnote{note text} b\n\nc", "a b\n\nnote text\n\nc"),
        ("as \\cite{key} says \\citep[p.~3]{two}", "as [key] says [two]"),
        ("\\begin{itemize}\\item one \\item two\\end{itemize}", "one\n\ntwo"),
        ("\\begin{tabular}{ll}a & b \\\\ c & d\\end{tabular}", "a\tb\nc\td"),
        ("\\href{http://x}{link} \\verb|a{b| \\includegraphics[w]{f}c", "link a{b c"),
        ("\\input{other} stays", "stays"),
        ("\\newcommand{\\x}[1]{no}yes", "yes"),
        ("un{closed \\textbf{brace", "unclosed brace"),
        ("\\begin{document}a % \\end{document}\nb\\end{document} no", "a b"),
        ("na\\accent127 ive caf\\accent19 e, ma\\accent32 rsh", "naïve café, marsh"),
        ("\\def\\x#1\\y{}a\\x no\\y b \\def\\z(#1)#2{<#2>}\\z(no){c}", "ab <c>"),
        ("\\let\\x=\\phantom a\\x{no}b \\newcommand{\\y}{\\iffalse}a\\y no\\fi{} b", "ab a b"),
        ("\\let\\x\\y\\let\\y\\x\\newcommand{\\z}[1]{[#1]}\\let\\w\\z\\renewcommand{\\z}{}\\w{a}\\z\\x b", "[a]b"),
        ("\\newcommand{\\x}[1]{}ma\\x qrsh, a\\unless\\iftrue no\\fi b", "marsh, ab"),
        ("ma\\discretionary{q-}{}{r}sh \\hyphenation{no none}\\begingroup a\\endgroup\\todo{b}", "marsh a\n\nb"),
        ("\\catcode`\\%=12 a%b {\\catcode`\\%=14 c}", "a%b c"),
        (
            "\\newcommand{\\x}{X\\xspace}see \\x there, \\x. \\BibTeX{} and on\\slash off",
            "see X there, X. BibTeX and on/off",
        ),
        ("\\newcommand{\\x}[2][so]{#1 #2}\\x{a}, \\x[b]{c}", "so a, b c"),
        (
            "\\begin{lstlisting}[language=C]\nint\\end{lstlisting}\\hskip 0pt plus1em minus .1em a\\penalty100 b",
            "int\n\nab",
        ),
        ("\\enquote{so} \\foreignquote{german}{da} \\textcquote[3]{key}{it is}", "“so” “da” “it is” 3 [key]"),
        (
            "\\newtheorem{thm}{Theorem}\\section{A}\\label{a}In~\\ref{b}.\n\n\\begin{thm}[Gauss]\\label{t}True\\end{thm}\
             \\begin{figure}\\caption{C}\\label{b}\\end{figure}By \\cref{t}, \\cref{b} and \\eqref{e} in \\ref{a}\
             \\begin{equation}\\label{e}x\\end{equation}",
            "A\n\nIn\u{A0}1.\n\nTheorem 1 (Gauss). True\n\nC\n\nBy Theorem\u{A0}1, fig.\u{A0}1 and (1) in 1\n\nx",
        ),
        (
            "\\documentclass[ngerman]{article}\\begin{document}Stra\"se und \"`M\"uhle\"'\\end{document}",
            "Straße und „Mühle“",
        ),
        ("a\\nobreakspace{}salt\\enskip marsh\\thickspace{}x", "a salt marsh x"),
        ("$never ends\n\nnext", "never ends\n\nnext"),
    ];
    for (source, expected) in cases {
        let found = text(source);
        let collapsed = found.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        assert_eq!(collapsed, expected, "{source}");
    }
}

#[test]
fn a_condition_made_by_its_name_is_resolved_or_told() {
    assert_eq!(text("a \\csname iffalse\\endcsname no\\else b\\fi{} c"), "a b c");
    assert_eq!(text("a \\csname iftrue\\endcsname b\\else no\\fi{} c"), "a b c");
    assert_eq!(text("\\newcommand{\\x}{iffalse}a \\csname \\x\\endcsname no\\else b\\fi{} c"), "a b c");
    for name in ["if\\x", "\\y", "ifodd"] {
        let source = format!("\\newcommand{{\\x}}{{iffalse}}a \\csname {name}\\endcsname b\\else c\\fi{{}} d");
        let extracted = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
        let told: Vec<(u32, u32)> =
            extracted.layout.of(MarkKind::Unjudged).map(|mark| (mark.start, mark.end)).collect();
        assert_eq!((extracted.text.as_str(), told), ("a b c d", vec![(2, 3), (4, 5)]), "{name}");
    }
}

#[test]
fn parts_are_above_chapters_and_appendices_are_told() {
    let source = "\\part{Water}\\chapter{Tides}Text.\\appendix\\chapter{Maps}More.";
    let layout = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap().layout;
    let kinds: Vec<MarkKind> = layout.marks().iter().map(|mark| mark.kind).collect();
    use MarkKind::{Appendix, Heading};
    assert_eq!(kinds, [Heading(0), Heading(1), Appendix, Heading(1)]);
}

#[test]
fn files_are_included_from_inside_the_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("thesis");
    std::fs::create_dir_all(inside.join("parts")).unwrap();
    std::fs::write(folder.path().join("secret.tex"), "secret").unwrap();
    std::fs::write(inside.join("parts/one.tex"), "first \\input{main}").unwrap();
    std::fs::write(inside.join("main.tex"), "ring \\input{parts/one}").unwrap();
    let source = b"\\input{parts/one} \\input{../secret} \\include{/etc/hostname} end";
    let extracted = extract(source, SourceFolder::on_disk(&inside).as_ref(), &ReadLimits::default()).unwrap();
    assert_eq!(extracted.text, "first\n\nring\n\nend");
}

#[test]
fn letters_that_commands_make_are_read() {
    // Each source shows "the marsh is wide" or "marsh", and what follows it.
    let cases = [
        ("\\let\\q=r the ma\\q sh is wide", "the marsh is wide"),
        ("\\let\\q r\\let\\w\\q ma\\w sh", "marsh"),
        ("\\let\\hspace\\textrm\\hspace{marsh}", "marsh"),
        ("\\LetLtxMacro{\\index}{\\mbox}\\index{marsh}", "marsh"),
        ("\\LetLtxMacro{\\q}{\\w}\\NewCommandCopy{\\w}{\\textbf}ma\\w{r}sh", "marsh"),
        ("\\let\\q\\char ma\\q114 sh", "marsh"),
        ("\\chardef\\q=114 ma\\q sh", "marsh"),
        ("\\chardef\\q`r ma\\q sh", "marsh"),
        ("\\DeclareTextSymbol{\\q}{OT1}{114}ma\\q sh", "marsh"),
        ("\\def\\a{r}\\edef\\q{\\a}\\def\\a{x}ma\\q sh", "marsh"),
        ("\\xdef\\q{r}ma\\q sh", "marsh"),
        ("\\newcommand\\q r ma\\q sh", "marsh"),
        ("\\newcommand{\\q}r ma\\q sh", "marsh"),
        ("\\DeclareTextCommandDefault{\\q}{r}ma\\q sh", "marsh"),
        ("\\def\\-{r}ma\\-sh", "marsh"),
        ("\\renewcommand{\\/}{r}ma\\/sh", "marsh"),
        ("\\def\\quad{r}ma\\quad sh", "marsh"),
        ("\\renewcommand{\\c}[1]{r#1}ma\\c{s}h", "marsh"),
        ("\\makeatletter\\def\\q@{r}ma\\q@ sh\\makeatother", "marsh"),
        ("ma\\char\\numexpr100+14\\relax sh", "marsh"),
        ("ma\\symbol{\\numexpr 120 - 6\\relax}sh \\char95 x", "marsh _x"),
        ("\\romannumeral1000 arsh \\romannumeral 24 ", "marsh xxiv"),
        ("\\newsavebox{\\b}\\sbox{\\b}{r}ma\\usebox{\\b}sh, ma\\usebox\\b sh", "marsh, marsh"),
        ("\\savebox\\b[2em][l]{r}ma\\usebox{\\b}sh", "marsh"),
        ("\\setbox0=\\hbox{r}ma\\copy0sh ma\\box0 sh", "marsh marsh"),
        ("\\newbox\\b\\setbox\\b\\hbox to 2em{r}ma\\unhbox\\b sh", "marsh"),
        ("\\begin{lrbox}{\\b}r\\end{lrbox}ma\\usebox{\\b}sh", "marsh"),
        ("\\sbox\\b{\\usebox{\\b}r}ma\\usebox{\\b}sh", "marsh"),
        ("\\newunicodechar{†}{r}ma†sh", "marsh"),
        ("\\DeclareUnicodeCharacter{2020}{r}ma†sh", "marsh"),
        ("\\newunicodechar{α}{\\ensuremath{\\alpha}}an α", "an α"),
        (
            "ma\\hspace{0pt}rsh ma\\hspace*{0.02em}rsh ma\\hspace{0\\textwidth}rsh ma\\hspace{-1pt}rsh",
            "marsh marsh marsh marsh",
        ),
        ("\\newlength{\\l}ma\\hspace{\\l}rsh\\setlength{\\l}{1em}\\hspace{\\l}wide", "marsh wide"),
        ("ma\\kern0pt rsh\\hskip 1em wide\\kern.5em and\\hspace{1cm}so\\hspace{\\fill}on", "marsh wide and so on"),
        ("ma\\rule{0pt}{1ex}rsh one\\newline two\\hfill three", "marsh one two three"),
    ];
    for (source, expected) in cases {
        let found = text(source);
        let collapsed = found.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(collapsed, expected, "{source}");
    }
}

#[test]
fn letters_that_are_not_computed_are_told() {
    use MarkKind::{Unjudged, Unmapped};
    let cases = [
        ("\\setcounter{q}{18}ma\\alph{q}sh", Unmapped(5)),
        ("ma\\char\\count0 sh", Unmapped(5)),
        ("\\newcommand{\\q}{\\ifx\\a\\b r\\fi}ma\\q sh", Unmapped(5)),
        ("\\def~{r}ma~sh", Unjudged),
        ("marsh\\todo[disable]{silt}", Unjudged),
        ("\\let~=r ma~sh", Unjudged),
        ("\\newunicodechar{q}{\\textit{r}}maqsh", Unjudged),
        ("\\sbox{\\b}{decoy} text", Unjudged),
    ];
    for (source, told) in cases {
        let layout = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap().layout;
        assert!(layout.of(told).count() > 0, "{source}: {layout:?}");
    }
    let honest =
        "\\newcommand{\\eq}[1]{\\begin{center}#1\\end{center}}A \\eq{b} c~d, \\char`\\% \\def~{\\nobreakspace}e~f.";
    let layout = extract(honest.as_bytes(), None, &ReadLimits::default()).unwrap().layout;
    assert!(layout.marks().iter().all(|mark| matches!(mark.kind, MarkKind::LeftOut(LeftOut::Instruction, _))));
}

/// Of a document in a folder with these files, the estimated characters of each place where a file is missing.
fn missing(files: &[(&str, &str)], source: &str) -> Vec<u32> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let layout = extract(source.as_bytes(), SourceFolder::on_disk(folder.path()).as_ref(), &ReadLimits::default())
        .unwrap()
        .layout;
    let count = |mark: &copytrace_text::layout::Mark| match mark.kind {
        MarkKind::LeftOut(LeftOut::Missing, count) => Some(count),
        _ => None,
    };
    layout.marks().iter().filter_map(count).collect()
}

#[test]
fn files_that_are_missing_are_told_with_their_estimated_length() {
    let none: [(&str, &str); 0] = [];
    for (source, expected) in [
        ("Text. \\input{one}", vec![12_000]),
        ("Text. \\input one \\include{two}", vec![12_000, 12_000]),
        ("\\newcommand{\\n}{one}Text. \\input{\\n}", vec![12_000]),
        ("Text. \\input\\n", vec![12_000]),
        ("Text. \\csname input\\endcsname{one}", vec![12_000]),
        ("\\newcommand{\\part}[1]{\\input{parts/#1}}\\newcommand{\\p}[1]{\\input{#1}}Text. \\p{one}", vec![12_000]),
        ("\\makeatletter Text. \\@input{one}", vec![12_000]),
        ("Text. \\InputIfFileExists{one}{}{}", vec![12_000]),
        ("Text. \\begin{figure}\\input{plot}\\end{figure}", vec![1_500]),
        ("\\input{macros}\\begin{document}Text.\\end{document}", vec![150]),
        ("Text. \\includepdf{paper}", vec![1_500]),
        ("Text. \\includepdf[pages={1,3-7},scale=.8]{paper}", vec![9_000]),
        ("Text. \\includepdf[pages=-]{paper}", vec![12_000]),
        ("Text. \\includepdfset{pages=2-}\\includepdf{paper}", vec![12_000]),
        ("Text. \\includegraphics[page=3,width=\\paperwidth]{paper}", vec![1_500]),
        (
            "Text. \\includegraphics[width=5cm]{photo} \\verb|\\input{one}| % \\input{two}\n\\newcommand{\\x}{\\input{three}}",
            vec![],
        ),
        ("\\usepackage{unknown}\\begin{document}Text.\\end{document} \\input{one}", vec![]),
    ] {
        assert_eq!(missing(&none, source), expected, "{source}");
    }
    // A missing chapter is as long as those that were read, whatever small files were read besides.
    let chapter = "silt ".repeat(4_000);
    let files = [("one.tex", chapter.as_str()), ("two.tex", &chapter), ("t1.tex", "a & b"), ("t2.tex", "c & d")];
    let found = missing(&files, "\\input{one}\\input{two}\\input{t1}\\input{t2}\\input{three}");
    assert!(matches!(found[..], [19_900..=20_000]), "{found:?}");
    let small = missing(&files[2..], "\\input{t1}\\input{t2}\\input{three}");
    assert_eq!(small, [1_500], "a page at least");
}

#[test]
fn a_file_ends_and_the_document_ends_where_tex_ends_them() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("one.tex", "% \\endinput\nfirst \\verb|\\endinput| still\\endinput{} the line\nno");
    write("sub.tex", "\\documentclass[main]{subfiles}\\begin{document}sub\\end{document}no");
    write("off.tex", "no");
    let source = "\\includeonly{one}\\begin{document}\\input{one}\\subfile{sub} \\verb|\\end{document}| \\include{off}\n\
                  \\begin{verbatim}\\end{document}\\end{verbatim}last \\newcommand{\\x}{\\end{document}}\\x no";
    let extracted =
        extract(source.as_bytes(), SourceFolder::on_disk(folder.path()).as_ref(), &ReadLimits::default()).unwrap();
    let collapsed = extracted.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(collapsed, "first \\endinput still the line sub \\end{document} \\end{document} last");
    assert_eq!(text("a \\textbf{b \\stop no} no"), "a b");
}

#[test]
fn the_end_of_a_document_in_a_listing_of_any_name_ends_nothing() {
    let source = "\\begin{document}one \\begin{TeXCode}two \\end{document} 3%\n\\end{TeXCode} three\n\n\
                  \\begin{quote}four\\end{quote} \\begin{left}five\\end{document} no \\begin{left} no";
    assert_eq!(
        text(source).split_whitespace().collect::<Vec<_>>().join(" "),
        "one two \\end{document} 3% three four five"
    );
}

#[test]
fn a_document_in_a_listing_of_any_name_is_code() {
    let source = "\\begin{document}one \\begin{TeXCode}\n\\documentclass{book}\n\\begin{document}\\input{two} 100% $x\n\
                  \\includepdf{three}\\end{document}\n\\end{TeXCode} four\\end{document}";
    let none: [(&str, &str); 0] = [];
    assert!(missing(&none, source).is_empty(), "what it shows is not missing");
    let extracted = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
    let marks = extracted.layout.marks();
    let code: Vec<&str> = marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Code)
        .map(|mark| &extracted.text[mark.start as usize..mark.end as usize])
        .collect();
    assert_eq!(
        code,
        ["\\documentclass{book}\n\\begin{document}\\input{two} 100% $x\n\\includepdf{three}\\end{document}"]
    );
    assert!(extracted.text.trim_end().ends_with("four"));
}

#[test]
fn a_chapter_that_shows_a_document_in_a_listing_is_read_whole() {
    let chapter = "\\chapter{One} two\n\\begin{TeXCode}\n\\documentclass{book}\n% \\end{TeXCode}\n\\begin{document}\n\
                   \\end{document}\n\\end{TeXCode}\nthree";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words(&text(chapter)).starts_with("One two") && words(&text(chapter)).ends_with("three"),
        "{}",
        text(chapter)
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.tex"), chapter).unwrap();
    let source = "\\newcommand{\\bi}{\\begin{itemize}}\\newcommand{\\ei}{\\end{itemize}}\\begin{document}zero \\input{one}\\end{document}";
    let extracted =
        extract(source.as_bytes(), SourceFolder::on_disk(folder.path()).as_ref(), &ReadLimits::default()).unwrap();
    let found = words(&extracted.text);
    assert!(found.starts_with("zero One two") && found.ends_with("three"), "{found}");
}

#[test]
fn prose_in_a_file_of_definitions_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("prose.tex"), "the tide leaves a thin layer of silt ".repeat(20)).unwrap();
    let source = b"\\AtBeginDocument{\\input{prose}}\\begin{document}Text.\\end{document}";
    let marks = extract(source, SourceFolder::on_disk(folder.path()).as_ref(), &ReadLimits::default()).unwrap().layout;
    assert!(marks.marks().iter().any(|mark| matches!(mark.kind, MarkKind::LeftOut(LeftOut::Unread, 500..))));
}

#[test]
fn brackets_without_end_are_refused_by_name() {
    let deep = format!("{}x{}", "\\textbf{\\section{".repeat(400), "}}".repeat(400));
    assert_eq!(
        extract(deep.as_bytes(), None, &ReadLimits::default()).unwrap_err().to_string(),
        "more than 256 levels inside each other"
    );
}

const SENTENCE: &str = "every tide leaves a thin layer of silt on the marsh, and nobody has measured it";

#[test]
fn what_commands_and_environments_that_are_not_known_hold_is_unjudged_if_it_is_long() {
    for (preamble, body) in [
        ("", "\\tagged{never}{@}"),
        ("", "\\only<99>{@}"),
        ("", "\\vbox to 0pt{\\kern 9pt @}"),
        ("", "\\csname note\\endcsname{@}"),
        ("\\defwords{note}#1{}", "\\note{@}"),
        ("\\NewEnviron{note}{}", "\\begin{note}@\\end{note}"),
        ("\\NewDocumentEnvironment{note}{+b}{}{}", "\\begin{note}@\\end{note}"),
        ("", "\\begin{ocg}{a}{b}{0}@\\end{ocg}"),
        ("\\def\\note{\\setbox0=\\hbox}", "\\note{@}"),
        ("", "{\\pgfsetfillopacity{0}@}"),
        ("", "\\special{pdf:literal 3 Tr}@"),
        ("\\providecolor{paper}{rgb}{1,1,1}", "\\textcolor{paper}{@}"),
        ("", "{\\color{nowhere}@}"),
        ("", "\\toks0={@}"),
        ("", "\\immediate\\write-1{@}"),
    ] {
        let source = format!("{preamble}\\begin{{document}}{body} The end.\\end{{document}}").replace('@', SENTENCE);
        let read = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
        let told: u32 = read.layout.of(MarkKind::Unjudged).map(|place| place.end - place.start).sum();
        assert!(told >= SENTENCE.len() as u32, "{source}: {:?}", read.layout);
    }
    let far = extract(format!("\\rlap{{\\kern 2000pt {SENTENCE}}}").as_bytes(), None, &ReadLimits::default()).unwrap();
    assert!(far.layout.of(MarkKind::Unseen).count() > 0);
}

#[test]
fn what_is_known_or_short_is_judged() {
    for (preamble, body) in [
        ("", "\\textbf{@} \\unknown{term} \\unknown{one}{two}"),
        ("\\newcommand{\\strong}[1]{\\textbf{#1}}", "\\strong{@}"),
        ("\\newcommand{\\strong}{\\textbf}", "\\strong{@}"),
        ("\\AtBeginEnvironment{quote}{\\small}", "\\begin{quote}@\\end{quote}"),
        ("\\newenvironment{note}{\\begin{center}}{\\end{center}}", "\\begin{note}@\\end{note}"),
        ("", "\\begin{ofaclass}@\\end{ofaclass}"),
        ("", "\\unknown tomorrow {we} \\unknown to the {end} \\unknown <b {we} > c"),
        ("\\definecolor{ink}{gray}{.2}", "\\textcolor{ink}{@} \\textcolor{blue!50!black}{@}"),
    ] {
        let source = format!("{preamble}\\begin{{document}}{body} The end.\\end{{document}}").replace('@', SENTENCE);
        let read = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
        assert_eq!(read.layout.of(MarkKind::Unjudged).count(), 0, "{source}: {:?}", read.layout);
        assert!(!body.contains("tomorrow") || read.text.contains("tomorrow we to the end"), "{}", read.text);
    }
}

/// The letters that are told as not read of a document in a folder with another file.
fn unread(name: &str, text: &str, source: &str) -> u32 {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let folder = SourceFolder::on_disk(folder.path());
    let marks = extract(source.as_bytes(), folder.as_ref(), &ReadLimits::default()).unwrap().layout;
    let count = |mark: &copytrace_text::layout::Mark| match mark.kind {
        MarkKind::LeftOut(LeftOut::Unread, count) => count,
        _ => 0,
    };
    marks.marks().iter().map(count).sum()
}

#[test]
fn prose_in_files_that_are_named_and_not_read_is_told() {
    let prose = "The tide leaves silt on the marsh. Nobody has measured how much of it stays there over the winter. \
        The farmers who lived behind the dike wrote down the height of every flood, and their books were kept. \
        In the second part of this work we compare their figures with our own.";
    let document = |body: &str| format!("\\documentclass{{mine}}\\begin{{document}}Text. {body}\\end{{document}}");
    for (name, text, body) in [
        ("mine.cls", format!("\\newcommand{{\\one}}{{{prose}}}"), ""),
        ("data.csv", format!("\"{prose}\""), "\\csvreader{data.csv}{}{}"),
        ("data.txt", prose.to_owned(), "\\openin\\f=data.txt"),
        ("book.lua", format!("tex.print(\"{prose}\")"), "\\directlua{dofile('book.lua')}"),
        ("refs.bib", format!("@misc{{a, note = {{{prose}}}}}"), "\\bibliography{refs}"),
        ("refs.bib", format!("@misc{{a, abstract = {{{prose}}}}}"), "\\citefield{a}{abstract}\\bibliography{refs}"),
    ] {
        assert!(unread(name, &text, &document(body)) >= 150, "{name}: {body}");
    }
    for (name, text, body) in [
        ("other.txt", prose.to_owned(), ""),
        ("mine.cls", format!("% {prose}"), ""),
        ("data.txt", prose.to_owned(), &*format!("{prose} \\lstinputlisting{{data.txt}}")),
        (
            "refs.bib",
            format!("@misc{{a, abstract = {{{prose}}}, title = {{The tide leaves silt}}}}"),
            "\\bibliography{refs}",
        ),
    ] {
        assert_eq!(unread(name, &text, &document(body)), 0, "{name}: {body}");
    }
}

#[test]
fn headings_that_are_only_added_to_the_contents_are_headings_without_numbers() {
    let source = "\\addpart{Erster Teil}\\addchap{Zusammenfassung}Die Arbeit.\\chapter{Einleitung}\\label{e}Der Anfang.\
        \\addsec{Dank}Ich danke. \\ref{e}";
    let extracted = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
    let text = "Erster Teil\n\nZusammenfassung\n\nDie Arbeit.\n\nEinleitung\n\nDer Anfang.\n\nDank\n\nIch danke. 1";
    assert_eq!(extracted.text, text);
    let levels = [0, 1, 2].map(|level| extracted.layout.of(MarkKind::Heading(level)).count());
    assert_eq!(levels, [1, 2, 1]);
}

#[test]
fn the_words_and_the_source_of_an_epigraph_are_paragraphs() {
    let source = "\\chapter{Einleitung}\\epigraph{Es war einmal.}{Grimm}Die Arbeit beginnt.";
    assert_eq!(text(source), "Einleitung\n\nEs war einmal.\n\nGrimm\n\nDie Arbeit beginnt.");
    let own = "\\newcommand{\\epigraph}[2]{#2: #1}a \\epigraph{b}{c} d";
    assert_eq!(text(own), "a c: b d");
}

#[test]
fn a_command_of_a_class_named_after_a_heading_makes_one_of_its_first_title() {
    let cases = [
        ("\\BiChapter{潮汐}{Tides}水来", Some(1), "潮汐\n\nTides\n\n水来"),
        ("\\bisubsection*{潮汐}{Tides}水来", Some(3), "潮汐\n\nTides\n\n水来"),
        ("\\counterpart{Silt}{Tides}", None, "SiltTides"),
        ("\\mychapter{Silt}{2}", None, "Silt2"),
    ];
    for (source, level, expected) in cases {
        let extracted = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
        assert_eq!(extracted.text, expected);
        let found = (0..5).find(|level| extracted.layout.of(MarkKind::Heading(*level)).next().is_some());
        assert_eq!(found, level, "{source}");
    }
}

#[test]
fn an_abstract_in_a_preamble_is_text_and_not_judged_and_other_prose_there_is_none() {
    let prose = "The tide takes the marsh and leaves silt behind. ".repeat(8);
    let cases = [
        (format!("\\cabstract{{{prose}}}"), true),
        (format!("\\abstracts{{Tides}}{{{prose}}}"), true),
        (format!("\\cabstract{{{}}}", "潮水从外面带来细沙。".repeat(12)), true),
        (format!("\\abstractkeys{{words={{{prose}}}}}"), false),
        (format!("\\abstractwords{{{}}}", "tides, marshes, stakes, ".repeat(14)), false),
        (format!("\\newcommand{{\\cabstract}}[1]{{}}\\cabstract{{{prose}}}"), false),
        (format!("\\AtBeginDocument{{{prose}}}"), false),
        (format!("% \\cabstract{{{prose}}}"), false),
    ];
    for (preamble, is_text) in cases {
        let source = format!("\\documentclass{{x}}{preamble}\n\\begin{{document}}Reeds.\\end{{document}}");
        let extracted = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
        assert_eq!(extracted.text != "Reeds.", is_text, "{preamble}");
        assert!(extracted.text.ends_with("Reeds."), "{preamble}");
        assert_eq!(extracted.layout.of(MarkKind::Unjudged).next().is_some(), is_text, "{preamble}");
    }
}

#[test]
fn a_box_that_a_preamble_makes_shows_what_it_holds_unless_more_is_told_of_it_than_its_looks() {
    let is_judged = |made: &str, used: &str| {
        let source = format!("{made}\\begin{{document}}{used}\\end{{document}}");
        let read = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
        assert!(read.text.contains("The tide leaves silt."), "{}", read.text);
        !read.layout.of(MarkKind::Unjudged).any(|_| true)
    };
    let used = "\\begin{hint}{A remark}The tide leaves silt.\\end{hint}";
    for options in ["colback=blue!5,title=#1", "", "enhanced, sharp corners,\n  fonttitle=\\bfseries, title={#1}"] {
        assert!(is_judged(&format!("\\newtcolorbox{{hint}}[1]{{{options}}}"), used), "{options}");
        assert!(is_judged(&format!("\\newtcolorbox{{hint}}[2][]{{{options},#1}}"), used), "{options}");
    }
    for options in [
        "coltext=white",
        "opacityupper=0",
        "fonttitle=\\color{white}",
        "fontupper=\\fontsize{1}{1}\\selectfont",
        "title=#1,savelowerto=x",
    ] {
        assert!(!is_judged(&format!("\\newtcolorbox{{hint}}[1]{{{options}}}"), used), "{options}");
    }
}

/// The text and how many letters are not known, or not judged.
fn unknown_in(preamble: &str, body: &str) -> (String, u32) {
    let source = format!("\\documentclass{{x}}{preamble}\n\\begin{{document}}{body}\\end{{document}}");
    let extracted = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
    let letters = |mark: &Mark| match mark.kind {
        MarkKind::Unmapped(count) => count,
        MarkKind::Unjudged => mark.end - mark.start,
        _ => 0,
    };
    (extracted.text.to_string(), extracted.layout.marks().iter().map(letters).sum())
}

#[test]
fn words_that_commands_of_the_document_show_are_text_where_their_definitions_can_be_read() {
    let cases = [
        ("\\newrobustcmd{\\w}{tide}", "\\w"),
        ("\\newrobustcmd*\\w[1]{tide}", "\\w{x}"),
        ("\\newcommandx{\\w}[1][1=tide]{tide}", "\\w"),
        ("\\NewExpandableDocumentCommand\\w{}{tide}", "\\w"),
        ("\\newsavebox{\\w}\\savebox{\\w}{tide}", "\\usebox{\\w}"),
        ("\\newsavebox\\w\\sbox\\w{tide}", "\\usebox\\w{}"),
        ("\\newtoks\\w \\w={tide}", "\\the\\w{}"),
        ("", "\\newtoks\\w\\w={tide}\\the\\w{}"),
        ("\\makeatletter\\@namedef{w1}{tide}\\makeatother", "\\csname w1\\endcsname"),
        ("\\makeatletter\\@namedef{w1}{tide}", "\\makeatletter\\@nameuse{w1}\\makeatother"),
        ("\\csdef{w:1}{tide}", "\\csuse{w:1}"),
        ("\\expandafter\\def\\csname w1\\endcsname{tide}", "\\csname w1\\endcsname"),
        (
            "\\expandafter\\def\\csname w1\\endcsname{tide}\\newcommand{\\of}[1]{w#1}\\def\\n{1}",
            "\\csname w\\n\\endcsname",
        ),
        ("\\ExplSyntaxOn\\cs_new:Npn \\w {tide}\\ExplSyntaxOff", "\\w"),
        ("\\ExplSyntaxOn\\tl_const:Nn \\c_w_tl {tide}\\cs_new:Npn \\w {\\c_w_tl}\\ExplSyntaxOff", "\\w"),
        ("\\renewcommand{\\index}[1]{#1}", "\\index{tide}"),
        ("\\renewcommand{\\vspace}[1]{\\textit{#1}}", "\\vspace{tide}"),
        ("\\renewcommand{\\includegraphics}[2][]{#2}", "\\includegraphics[width=1cm]{tide}"),
        ("\\let\\w=\\emph", "\\w{tide}"),
        ("\\def\\w{}\\appto\\w{ti}\\appto\\w{de}", "\\w"),
        ("\\def\\w{}\\preto\\w{de}\\preto\\w{ti}", "\\w"),
        ("\\NewDocumentCommand\\w{O{tide}}{#1}", "\\w"),
        ("\\NewDocumentCommand\\w{sm}{#2}", "\\w*{tide}"),
        ("\\DeclareMathOperator{\\w}{tide}", "\\w"),
        ("", "\\escapechar-1 \\string\\tide"),
    ];
    for (preamble, word) in cases {
        let (text, _) = unknown_in(preamble, &format!("The {word}{{}} takes silt."));
        assert_eq!(text, "The tide takes silt.", "{preamble}");
    }
}

#[test]
fn what_is_named_outside_of_the_text_and_not_read_may_be_words() {
    let made = [
        ("\\makewords{\\w}{tide}", "\\w{}"),
        ("\\makewords{w}{tide}", "\\w{}"),
        ("\\makewords\\w\\tide", "\\w{}"),
        ("\\foreach \\k/\\v in {wa/tide,wb/silt}{\\x}", "\\wa{}"),
        ("\\newlabel{w1}{{tide}{1}}", "\\ref{w1}"),
        (
            "\\newcommand{\\put}[2]{\\expandafter\\gdef\\csname#1\\endcsname{#2}}\\put{w1}{tide}",
            "\\csname w1\\endcsname",
        ),
        ("\\newkey{w1}{tide}", "\\getkey{w1}"),
        ("", "\\newkey{w1}{tide}\\getkey{w1}"),
        ("", "\\directlua{w(1)}"),
        ("\\newcommand{\\w}{\\ifnum1=1 tide\\fi}", "\\w{}"),
        ("\\newcommand{\\w}[1]{\\csname#1\\endcsname}", "\\w{x1}"),
        ("\\def\\w{}\\addwords\\w{tide}", "\\w{}"),
        ("\\newglossaryentry{w}{name=a,user1=tide}", "\\glsentryuseri{w}"),
        ("\\NewDocumentCommand\\w{s}{\\IfBooleanTF{#1}{tide}{silt}}", "\\w*{}"),
        ("", "\\begin{x}[label={tide}]\\end{x}"),
        ("", "\\tcbox[title={tide}]{}"),
        ("", "\\begin{tabular}{@{tide }l@{}}\\end{tabular}"),
    ];
    for (preamble, word) in made {
        let (text, unknown) = unknown_in(preamble, &format!("The {word} takes silt."));
        assert!(unknown >= 4, "{preamble}{word}: {text}");
    }
    let honest = [
        ("\\usepackage{x}", "\\checkmark{}", "The takes silt."),
        ("\\newcommand{\\term}[1]{\\emph{#1}}", "\\term{tide}", "The tide takes silt."),
        ("\\newrobustcmd{\\term}[1]{\\emph{#1}}", "\\term{tide}", "The tide takes silt."),
        ("\\newfontfamily\\hei{Hei}", "tide", "The tide takes silt."),
        ("\\renewcommand{\\vspace}[1]{}", "\\vspace{1cm}tide", "The tide takes silt."),
        ("\\let\\old\\vspace\\renewcommand{\\vspace}[1]{\\old{#1}}", "\\vspace{1cm}tide", "The tide takes silt."),
        ("\\newlabel{w1}{{tide}{1}}", "\\ref{w2}", "The takes silt."),
        ("", "\\begin{tabular}{@{}l>{\\bfseries}l@{\\hspace{1em}}l}tide\\end{tabular}", "The tide takes silt."),
        ("", "\\begin{center}[style={a:b},width=.5\\textwidth]tide\\end{center}", "The tide takes silt."),
        (
            "",
            "\\cite{w}\\begin{thebibliography}{9}\\bibitem[tide]{w} A.\\end{thebibliography}",
            "The tide A. takes silt.",
        ),
    ];
    for (preamble, word, expected) in honest {
        let (text, unknown) = unknown_in(preamble, &format!("The {word} takes silt."));
        assert_eq!(
            (text.split_whitespace().collect::<Vec<_>>().join(" ").as_str(), unknown),
            (expected, 0),
            "{preamble}{word}"
        );
    }
}
