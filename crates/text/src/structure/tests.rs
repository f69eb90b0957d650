use super::*;
use crate::languages::tests::with_another_language;
use crate::layout::{Mark, MarkKind};
use proptest::prelude::*;

const CHINESE: &str = "某某大学硕士学位论文\n题目：潮汐沼泽\n学号：20190001\n指导教师：张三\n\n摘要\n本文研究潮汐沼泽。\n\n\
Abstract\nThis thesis is about tidal marshes.\n\n目录\n第一章 绪论 ........ 1\n第二章 方法 ........ 5\n参考文献 ........ 20\n致谢 ........ 22\n\n\
第一章 绪论\n潮汐沼泽截留泥沙。\n1.1 背景\n更多文字。\n\n第二章 方法\n方法如下。\n\n\
参考文献\n[1] 张三. 潮汐[J]. 地理, 2001, 3: 1-9.\n[2] 李四. 沼泽[M]. 北京: 科学, 1999.\n\n致谢\n感谢老师。\n\n附录A 问卷\n问题一。\n";

const ENGLISH: &str = "University of Example\nA thesis submitted for a degree\nOn Marshes\n\nAbstract\nMarshes trap silt.\n\n\
Contents\nChapter 1 Introduction\t1\nChapter 2 Methods\t5\nReferences\t9\n\n\
Chapter 1 Introduction\nText of the first chapter.\n\nChapter 2 Methods\nText of the second.\n\n\
Acknowledgements\nThanks to all.\n\nReferences\nSmith, J. (2001). Marshes. Journal of Silt, 3, 1-9.\n\
Jones, A. (1999). Tides. Press, Leeds.\n\nAppendix A: Forms\nA form.\n";

fn outline(text: &str, layout: &Layout) -> Vec<(SectionKind, String)> {
    Structure::find(text, layout).sections.into_iter().map(|section| (section.kind, section.title)).collect()
}

#[test]
fn the_parts_of_a_plain_thesis_are_found_in_both_languages() {
    use SectionKind::*;
    let expected: &[(&str, &[(SectionKind, &str)])] = &[
        (
            CHINESE,
            &[
                (TitlePage, ""),
                (Abstract, "摘要"),
                (Abstract, "Abstract"),
                (Contents, "目录"),
                (Chapter, "第一章 绪论"),
                (Chapter, "第二章 方法"),
                (References, "参考文献"),
                (Acknowledgements, "致谢"),
                (Appendix, "附录A 问卷"),
            ],
        ),
        (
            ENGLISH,
            &[
                (TitlePage, ""),
                (Abstract, "Abstract"),
                (Contents, "Contents"),
                (Chapter, "Chapter 1 Introduction"),
                (Chapter, "Chapter 2 Methods"),
                (Acknowledgements, "Acknowledgements"),
                (References, "References"),
                (Appendix, "Appendix A: Forms"),
            ],
        ),
    ];
    for (text, sections) in expected {
        let found = outline(text, &Layout::default());
        let found: Vec<_> = found.iter().map(|(kind, title)| (*kind, title.as_str())).collect();
        assert_eq!(found, *sections);
    }
}

#[test]
fn a_preface_is_no_chapter_and_a_number_above_a_marked_heading_is_none_either() {
    let text = "Preface\n\nWords.\n\nChapter 4\n\nTides\n\nText of it.\n\nMarshes\n\nMore text.\n";
    let mark = |title: &str| {
        let start = text.find(title).unwrap() as u32;
        Mark { kind: MarkKind::Heading(1), start, end: start + title.len() as u32 }
    };
    let layout = Layout::new(["Preface", "Tides", "Marshes"].map(mark).to_vec());
    let titles: Vec<String> = outline(text, &layout).into_iter().map(|(_, title)| title).collect();
    assert_eq!(titles, ["", "Tides", "Marshes"]);
}

#[test]
fn a_list_of_figures_whose_entries_are_sentences_is_left_out() {
    let captions = [
        "1 The tide as it was seen from the tower, with the stakes in front of it, in the year of the great flood",
        "2 The stems that the wardens counted, before and after the winter in which the dyke was broken by ice",
        "3 The reeds of the lower river, cut by hand and bound in sheaves as it was done before the war",
    ];
    // The dots of the last one stand on another line.
    let list = format!(
        "{} . . . . . . 12\n{} . . . . . . 13\n{}\nin the north . . . . . . 14\n",
        captions[0], captions[1], captions[2]
    );
    let body: String = captions.iter().map(|caption| format!("Words.\n\nFigure {caption}\n\n")).collect();
    let text = format!("List of Figures\n{list}\nChapter 1 Tides\n\n{body}");
    let found = outline(&text, &Layout::default());
    assert_eq!(found[0], (SectionKind::Contents, "List of Figures".to_owned()));
    let place = Structure::find(&text, &Layout::default()).sections[0].end as usize;
    assert!(text[..place].trim_end().ends_with("14"), "{}", &text[..place]);
}

#[test]
fn plain_texts_without_such_parts_stay_whole() {
    for text in [
        "The references to the sea are many.\nReferences\nwere what he sought, and found none at all.\nHe went home.",
        "CONTENTS\nA story of the sea.\nIt was a dark night, and nobody slept.",
        "参考文献\n并不多，他只好自己去看。\n于是他去了海边。",
        "1. Wash the rice.\n2. Boil the water.\n3. Wait.\nThen eat.",
        "In 1931 the dyke broke.\n12 men were lost.\nAppendix operations were rare.",
        "",
    ] {
        let structure = Structure::find(text, &Layout::default());
        assert!(structure.sections.iter().all(|section| section.kind.counts()), "{text}: {:?}", structure.sections);
    }
}

#[test]
fn references_in_a_plain_text_end_where_the_entries_end() {
    let mut text = String::from("Text.\n\nReferences\n");
    for number in 1..6 {
        text.push_str(&format!("[{number}] Smith, J. Marshes. Leeds, 1999.\n"));
    }
    let tail: Vec<String> =
        (0..20).map(|n| format!("Afterwards a line of running text number {} goes on", "x".repeat(n))).collect();
    text.push_str(&tail.join("\n"));
    let sections = Structure::find(&text, &Layout::default()).sections;
    let kinds: Vec<SectionKind> = sections.iter().map(|section| section.kind).collect();
    assert_eq!(kinds, [SectionKind::Chapter, SectionKind::References, SectionKind::Chapter]);
    assert!(sections[1].end - sections[1].start < 300);
}

#[test]
fn headings_of_the_format_make_chapters_whatever_they_are_called() {
    let text = "On Marshes\n\nBeginnings\n\nText.\n\nA detail\n\nMore.\n\nThe end of it\n\nText.\n\nReferences\n\n\
         Smith, J. Marshes. Leeds: Press, 1999.";
    let mark = |needle: &str, kind| {
        let start = text[..text.find(needle).unwrap()].chars().count() as u32;
        Mark { kind, start, end: start + needle.chars().count() as u32 }
    };
    let layout = Layout::new(vec![
        mark("On Marshes", MarkKind::Title),
        mark("Beginnings", MarkKind::Heading(1)),
        mark("A detail", MarkKind::Heading(2)),
        mark("The end of it", MarkKind::Heading(1)),
        mark("References", MarkKind::Heading(1)),
    ]);
    let structure = Structure::find(text, &layout);
    let titles: Vec<_> = structure.sections.iter().map(|s| (s.kind, s.title.as_str())).collect();
    assert_eq!(
        titles,
        [
            (SectionKind::Chapter, ""),
            (SectionKind::Chapter, "Beginnings"),
            (SectionKind::Chapter, "The end of it"),
            (SectionKind::References, "References"),
        ]
    );
    assert_eq!(structure.headings.len(), 4);
}

#[test]
fn numbered_lines_are_chapters_of_a_plain_text_when_text_stands_between_them() {
    let text = "1 Introduction\nSome text here.\n2 Methods\nSome text here.\n3 Results\nSome text here.";
    let titles: Vec<_> = outline(text, &Layout::default()).into_iter().map(|(_, title)| title).collect();
    assert_eq!(titles, ["1 Introduction", "2 Methods", "3 Results"]);
}

proptest! {
    #[test]
    fn sections_partition_any_text(
        parts in proptest::collection::vec(
            prop_oneof![
                Just("参考文献\n".to_owned()), Just("目录\n".to_owned()), Just("第一章 绪论\n".to_owned()),
                Just("Chapter 2\n".to_owned()), Just("致谢\n".to_owned()), Just("[1] A. B, 1999.\n".to_owned()),
                Just("one ... 3\n".to_owned()), Just("“quoted”\n\n".to_owned()), "\\PC{0,40}\n",
            ],
            0..30,
        ),
    ) {
        let text = parts.concat();
        let structure = Structure::find(&text, &Layout::default());
        let mut end = 0;
        for section in &structure.sections {
            prop_assert_eq!(section.start, end);
            prop_assert!(section.end > section.start);
            end = section.end;
        }
        prop_assert_eq!(end as usize, text.chars().count());
    }
}

#[test]
fn a_text_of_nothing_but_headings_has_none() {
    let chapters = |count: usize| Structure::find(&"第一章\n".repeat(count), &Layout::default());
    assert_eq!(chapters(10_000).headings.len(), 10_000);
    let structure = chapters(10_001);
    assert_eq!((structure.headings.len(), structure.sections.len()), (0, 1));
}

#[test]
fn a_claim_says_what_claims_it_and_how_much_bears_it_out() {
    let claims = |text: &str, layout: &Layout| -> Vec<(SectionKind, Origin, usize)> {
        Structure::find(text, layout).claims.iter().map(|claim| (claim.kind, claim.origin, claim.evidence)).collect()
    };
    use SectionKind::*;
    let of_titles = claims(ENGLISH, &Layout::default());
    assert_eq!(
        of_titles,
        [
            (Contents, Origin::Title, 3),
            (TitlePage, Origin::Content, 4),
            (Acknowledgements, Origin::Title, 1),
            (References, Origin::Title, 2)
        ]
    );
    let text =
        "A thesis about marshes.\n\nSmith, J. Marshes. Leeds: Press, 1999.\nJones, A. Tides. Leeds: Press, 2001.";
    let start = text.find("Smith").unwrap() as u32;
    let field = Mark { kind: MarkKind::Bibliography, start, end: text.len() as u32 };
    assert_eq!(claims(text, &Layout::new(vec![field])), [(References, Origin::Field, 2)]);
}

#[test]
fn what_stands_in_the_margin_of_a_page_or_two_counts() {
    let page = |number: u32| {
        format!("Text of page {number}, which says something.\n\nThroughput (MOP/s)\n\nStamp {number}\n\n")
    };
    let text: String = (1..=9).map(page).collect();
    let mut marks = Vec::new();
    let mut start = 0;
    for number in 1..=9 {
        let length = page(number).chars().count() as u32;
        marks.push(Mark { kind: MarkKind::Page(number), start, end: start + length });
        let stamp = start + length - 9;
        marks.push(Mark { kind: MarkKind::Margin, start: stamp, end: stamp + 7 });
        if number < 3 {
            marks.push(Mark { kind: MarkKind::Margin, start: stamp - 20, end: stamp - 2 });
        }
        start += length;
    }
    let margins = Structure::find(&text, &Layout::new(marks)).margins;
    assert_eq!(margins.len(), 9, "{margins:?}");
    assert!(margins.iter().all(|(_, span)| text[span.start as usize..].starts_with("Stamp")));
}

#[test]
fn prose_in_a_part_that_the_format_calls_contents_is_none() {
    let text = "Contributions of Authors\n\nI would like to acknowledge Dr. Jakob Eriksson and Ben Baenen for their integral role in this.\n\n\
                Chapter 4 builds on it. Dr. Eriksson helped with its writing and Dr. Chen with the system.\n\n\
                Summary\nIntroduction\nMethods\n\nSummary\nWorkloads grow.\n\nIntroduction\nThey do.\n\nMethods\nCounting.\n\n\
                Contributions of Authors";
    let end = text.find("Methods\n\n").unwrap() as u32 + 7;
    let layout = Layout::new(vec![Mark { kind: MarkKind::Contents, start: 0, end }]);
    let structure = Structure::find(text, &layout);
    let left_out: Vec<&str> = structure
        .sections
        .iter()
        .filter(|section| !section.kind.counts())
        .map(|section| text[section.start as usize..section.end as usize].trim())
        .collect();
    assert_eq!(left_out, ["Summary\nIntroduction\nMethods"]);
}

/// A text of these lines, each with prose below, and marks on them.
fn marked(headings: &[(&str, Option<MarkKind>)]) -> Vec<(SectionKind, String)> {
    let prose =
        "The tide leaves a thin layer of silt between the stems, and the surface grows by a little every year. ";
    let (mut text, mut marks, mut place) = (String::new(), Vec::new(), 0);
    for (heading, kind) in headings {
        let end = place + heading.chars().count() as u32;
        marks.extend(kind.map(|kind| Mark { kind, start: place, end }));
        let part = format!("{heading}\n\n{}\n\n", prose.repeat(4));
        place += part.chars().count() as u32;
        text += &part;
    }
    outline(&text, &Layout::new(marks)).into_iter().filter(|(_, title)| !title.is_empty()).collect()
}

#[test]
fn parts_that_hold_chapters_are_none_whatever_marks_them() {
    let (part, chapter) = (Some(MarkKind::OutlineHeading(1)), Some(MarkKind::OutlineHeading(2)));
    let named = [
        ("Part I Water", part),
        ("Chapter 1 Tides", chapter),
        ("Chapter 2 Rivers", chapter),
        ("Part II Land", part),
        ("Chapter 3 Marshes", chapter),
        ("Chapter 4 Dykes", chapter),
    ];
    let by_command = [
        ("Water", Some(MarkKind::Heading(0))),
        ("Tides", Some(MarkKind::Heading(1))),
        ("Rivers", Some(MarkKind::Heading(1))),
        ("Land", Some(MarkKind::Heading(0))),
        ("Marshes", Some(MarkKind::Heading(1))),
    ];
    let numbered = [
        ("1 Introduction", part),
        ("Water", part),
        ("2 Tides", chapter),
        ("3 Rivers", chapter),
        ("4 Conclusion", part),
    ];
    let titles = |headings: &[(&str, Option<MarkKind>)]| -> Vec<String> {
        marked(headings).into_iter().map(|(_, title)| title).collect()
    };
    assert_eq!(titles(&named), ["Chapter 1 Tides", "Chapter 2 Rivers", "Chapter 3 Marshes", "Chapter 4 Dykes"]);
    assert_eq!(titles(&by_command), ["Tides", "Rivers", "Marshes"]);
    assert_eq!(titles(&numbered), ["1 Introduction", "Water", "2 Tides", "3 Rivers", "4 Conclusion"]);
    // Parts without chapters are all there is.
    let alone = [("Part 1 Water", part), ("Part 2 Land", part), ("Part 3 Air", part)];
    assert_eq!(titles(&alone), ["Part 1 Water", "Part 2 Land", "Part 3 Air"]);
}

#[test]
fn a_chapter_that_the_outline_calls_otherwise_is_one_by_its_words_and_letters() {
    let (outlined, set) = (Some(MarkKind::OutlineHeading(1)), Some(MarkKind::FontHeading(1)));
    let headings = [
        ("Chapter 1 Tides", outlined),
        ("Chapter 2 LAT X and silt", set),
        ("Chapter 3 Dykes", outlined),
        ("Chapter 4 Rivers", outlined),
        ("A Questionnaire", outlined),
        ("B Maps", outlined),
    ];
    let found = marked(&headings);
    let kinds: Vec<SectionKind> = found.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(
        kinds,
        [[SectionKind::Chapter; 2].as_slice(), &[SectionKind::Chapter; 2], &[SectionKind::Appendix; 2]].concat()
    );
}

#[test]
fn a_running_head_above_its_heading_makes_no_section_of_its_own() {
    let text = format!("{ENGLISH}\n");
    let text = text.replace("Chapter 2 Methods\nText", "Chapter 2 Methods\n\nChapter 2 Methods\nText");
    let titles = outline(&text, &Layout::default()).into_iter().filter(|(_, title)| title == "Chapter 2 Methods");
    assert_eq!(titles.count(), 1);
}

#[test]
fn a_language_is_known_from_its_file_alone() {
    let dutch = r#"
        name = "Dutch"

        [titles]
        abstract = ["samenvatting"]
        contents = ["inhoudsopgave"]
        references = ["literatuur"]
        beside_references = ["lijst", "geraadpleegde"]
        acknowledgements = ["dankwoord"]
        declaration = ["verklaring van auteurschap"]
        appendix = ["bijlage"]

        [numbering]
        chapter = ["hoofdstuk"]
        numbers = ["één", "twee"]

        [words]
        cover = ["proefschrift", "universiteit", "promotor"]
        thanking = ["bedank", "dank"]
        declaring = ["verklaar", "werk", "zelfstandig", "bronnen", "gebruikt", "eerder ingediend", "geschreven"]

        [declarations]
        oaths = ["hierbij verklaar ik"]
        formulas = ["zelfstandig heb geschreven", "geen andere bronnen", "niet eerder ingediend"]
        signatures = ["handtekening"]

        [quotations]
        marks = [["‚", "’"]]
        places = ["blz"]

        [pages]
        captions = ["figuur"]
    "#;
    let prose = "Het getij laat tussen de stengels een dunne laag slib achter, en elk jaar wordt het land wat hoger. "
        .repeat(5);
    let text = format!(
        "Universiteit Leiden\nProefschrift over slib\nPromotor: A. Schrijver\n\nVerklaring\n\nHierbij verklaar ik dat ik dit werk \
         zelfstandig heb geschreven, geen andere bronnen heb gebruikt en het niet eerder ingediend is.\nHandtekening:\n\n\
         Samenvatting\n{prose}\n\nInhoudsopgave\nHoofdstuk één Slib ........ 1\nHoofdstuk twee Getij ........ 5\nLiteratuur ........ 9\n\n\
         Hoofdstuk één Slib\n{prose} ‚Het slib stijgt met het getij’ (blz. 12).\n\nHoofdstuk twee Getij\n{prose}\n\n\
         Geraadpleegde literatuur\nJansen, J. Slib. Leiden: Brill, 1999.\nDe Vries, A. Getij. Delft: Pers, 2001.\n\n\
         Dankwoord\nIk bedank mijn moeder.\n\nBijlage A: Kaarten\nEen kaart.\n"
    );
    let find = || Structure::find(&text, &Layout::default());
    let (found, without) = (with_another_language(dutch, find), find());
    use SectionKind::*;
    let kinds: Vec<SectionKind> = found.sections.iter().map(|section| section.kind).collect();
    // The declaration is a part of its own kind of title page.
    let parts = [TitlePage, TitlePage, Abstract, Contents, Chapter, Chapter, References, Acknowledgements, Appendix];
    assert_eq!(kinds, parts, "{:?}", found.sections);
    assert_eq!(found.sections[5].title, "Hoofdstuk twee Getij");
    assert_eq!(found.quotations.len(), 1);
    assert!(found.quotations[0].citation.is_some());
    assert!(found.claims.iter().any(|claim| claim.kind == TitlePage && claim.evidence > 0));
    assert!(without.sections.len() < 3 && without.quotations.is_empty(), "{:?}", without.sections);
}

/// A text of headings of levels, prose below each, and marks of them by `kind`; level 0 is a line of the text.
fn set(headings: &[(u8, &str)], kind: fn(u8) -> MarkKind) -> (String, Layout) {
    let prose = "The tide leaves a thin layer of silt between the stems, and the surface grows a little every year. ";
    let (mut text, mut marks) = (String::new(), Vec::new());
    for (level, heading) in headings {
        let start = text.chars().count() as u32;
        text += heading;
        if *level > 0 {
            marks.push(Mark { kind: kind(*level), start, end: text.chars().count() as u32 });
        }
        text += "\n\n";
        // The title of a chapter may stand on the next line.
        let is_word = ["chapter", "annexe"].contains(&&*heading.to_lowercase());
        let goes_on = is_word
            || heading.ends_with('章')
            || heading.contains('\t')
            || heading.len() == 1
            || *heading == "Contents";
        if !goes_on {
            text += &format!("{}\n\n", prose.repeat(12));
        }
    }
    (text, Layout::new(marks))
}

fn chapters(headings: &[(u8, &str)], kind: fn(u8) -> MarkKind) -> Vec<(SectionKind, String)> {
    let (text, layout) = set(headings, kind);
    outline(&text, &layout).into_iter().filter(|(_, title)| !title.is_empty()).collect()
}

#[test]
fn sections_in_the_style_of_chapters_are_no_chapters() {
    let chapter = |title: &str| (SectionKind::Chapter, title.to_owned());
    // Numbers are typed, or a program makes them, and then the table of contents alone has them.
    let typed = [(2, "1 Silt"), (2, "1.1 Grain"), (2, "1.2 Colour"), (2, "2 Tides"), (2, "2.1 Moon"), (2, "2.2 Grain")];
    assert_eq!(chapters(&typed, MarkKind::Heading), [chapter("1 Silt"), chapter("2 Tides")]);
    let made =
        ["Contents", "1 Silt\t3", "1.1 Grain of it\t4", "1.2 Colour of it\t5", "2 Tides\t9", "2.1 Moon and sun\t9"];
    let mut headings: Vec<(u8, &str)> = made.iter().map(|line| (0, *line)).collect();
    headings.extend([(1, "Silt"), (1, "Grain of it"), (1, "Colour of it"), (1, "Tides"), (1, "Moon and sun")]);
    let found: Vec<_> = chapters(&headings, MarkKind::Heading);
    assert_eq!(found[1..], [chapter("Silt"), chapter("Tides")]);
    // Where all are sections nothing else is known.
    let sections = [(1, "1.1 Grain"), (1, "1.2 Colour"), (1, "1.3 Age")];
    assert_eq!(chapters(&sections, MarkKind::Heading).len(), 3);
}

#[test]
fn sentences_in_a_style_of_headings_are_no_headings() {
    let sentence = "The marsh grows by the silt that every flood leaves there, and nobody has measured it yet.";
    let chinese = "潮汐沼泽的表面逐年升高，因为每次涨潮都会留下淤泥，没有人测量过";
    let headings =
        [(1, "Silt"), (1, sentence), (1, "Tides"), (1, chinese), (1, "什么是沼泽？"), (1, "Why the marsh grows.")];
    let found: Vec<String> = chapters(&headings, MarkKind::Heading).into_iter().map(|(_, title)| title).collect();
    assert_eq!(found, ["Silt", "Tides", "什么是沼泽？", "Why the marsh grows."]);
}

#[test]
fn lettered_appendices_behind_the_references_are_appendices() {
    let list = "Clerk, A. (1999). Silt. Annals of Tides 12(3), 34-56.";
    let text = |headings: &[(u8, &'static str)]| {
        let mut all = vec![(1, "1 Silt"), (1, "2 Tides"), (1, "3 Marshes"), (1, "References"), (0, list)];
        all.extend(headings);
        all
    };
    for kind in [MarkKind::Heading as fn(u8) -> MarkKind, MarkKind::OutlineHeading] {
        let found = chapters(&text(&[(1, "A Forms of the survey"), (1, "B. Maps"), (1, "Curriculum vitae")]), kind);
        let expected = [(SectionKind::Appendix, "A Forms of the survey"), (SectionKind::Appendix, "B. Maps")];
        assert_eq!(found[4..], expected.map(|(kind, title)| (kind, title.to_owned())), "{found:?}");
    }
    let found = chapters(&text(&[(1, "A"), (1, "Forms of the survey")]), MarkKind::OutlineHeading);
    assert_eq!(found[4..], [(SectionKind::Appendix, "A Forms of the survey".to_owned())]);
}

#[test]
fn chinese_chapters_may_have_their_number_on_a_line_of_its_own() {
    let titles = ["绪论", "理论基础", "系统设计", "系统实现"];
    let numbers = ["第一章", "第二章", "第三章", "第四章"];
    let expected: Vec<String> =
        std::iter::zip(numbers, titles).map(|(number, title)| format!("{number} {title}")).collect();
    for (kind, level, below) in [
        (MarkKind::Heading as fn(u8) -> MarkKind, 1, 1),
        (MarkKind::Heading, 1, 0),
        (MarkKind::OutlineHeading, 1, 0),
        (MarkKind::FontHeading, 1, 1),
        (MarkKind::FontHeading, 1, 2),
        (MarkKind::FontHeading, 0, 0),
    ] {
        let headings: Vec<(u8, &str)> =
            std::iter::zip(numbers, titles).flat_map(|(number, title)| [(level, number), (below, title)]).collect();
        let found: Vec<String> = chapters(&headings, kind).into_iter().map(|(_, title)| title).collect();
        assert_eq!(found, expected, "{level} {below} {:?}", kind(1));
    }
}

#[test]
fn the_word_for_a_chapter_or_an_appendix_may_stand_above_its_number() {
    let headings = [(1, "Chapter"), (1, "1 Silt"), (1, "CHAPTER"), (1, "2 Tides"), (1, "Chapter"), (1, "3 Marshes")];
    let headings = [&headings[..], &[(1, "Annexe"), (1, "A Forms of the survey")]].concat();
    let bare = [(1, "Chapter"), (1, "1"), (1, "Silt"), (1, "Chapter"), (1, "2"), (1, "Tides")];
    for kind in [MarkKind::OutlineHeading as fn(u8) -> MarkKind, MarkKind::Heading, MarkKind::FontHeading] {
        let found = chapters(&headings, kind);
        let kinds: Vec<SectionKind> = found.iter().map(|(kind, _)| *kind).collect();
        let titles: Vec<&str> = found.iter().map(|(_, title)| title.as_str()).collect();
        assert_eq!(titles, ["1 Silt", "2 Tides", "3 Marshes", "A Forms of the survey"], "{:?}", kind(1));
        assert_eq!(kinds[2..], [SectionKind::Chapter, SectionKind::Appendix]);
        let titles: Vec<String> = chapters(&bare, kind).into_iter().map(|(_, title)| title).collect();
        assert_eq!(titles, ["1 Silt", "2 Tides"], "{:?}", kind(1));
    }
}

#[test]
fn a_line_of_prose_in_a_table_of_contents_counts_and_the_rest_does_not() {
    let titles: Vec<String> = (1..=12).map(|n| format!("{n} Marsh {n} and its silt")).collect();
    let copied = "The surface of a marsh grows by the silt that every flood leaves between the stems of its grasses";
    let mut entries: Vec<String> = (1..).zip(&titles).map(|(page, title)| format!("{title} ........ {page}")).collect();
    entries.insert(6, format!("{copied} ........ 7"));
    let body: Vec<String> =
        titles.iter().map(|title| format!("{title}\n\n{}", "Silt lies there. ".repeat(40))).collect();
    let text = format!("Contents\n{}\n\n{}", entries.join("\n"), body.join("\n\n"));
    let sections = Structure::find(&text, &Layout::default()).sections;
    let contents: String = sections
        .iter()
        .filter(|section| section.kind == SectionKind::Contents)
        .map(|section| text.get(section.start as usize..section.end as usize).unwrap())
        .collect();
    assert!(
        contents.contains("6 Marsh 6 and its silt ..") && contents.contains("12 Marsh 12 and its silt .."),
        "{contents}"
    );
    assert!(!contents.contains(copied), "{contents}");
}

#[test]
fn entries_of_a_table_of_contents_without_pages_may_begin_alike() {
    let titles: Vec<String> = (1..=9).map(|n| format!("1.{n} Synthetic lethality in {n} marshes")).collect();
    let body: Vec<String> =
        titles.iter().map(|title| format!("{title}\n\n{}", "Silt lies there. ".repeat(40))).collect();
    let text = format!("Contents\n{}\n\n{}", titles.join("\n"), body.join("\n\n"));
    let sections = Structure::find(&text, &Layout::default()).sections;
    let contents = sections.iter().find(|section| section.kind == SectionKind::Contents).unwrap();
    assert_eq!(contents.end as usize, text.find("1.1 Synthetic lethality in 1 marshes\n\n").unwrap());
}

/// Prose of some length that cites nobody.
fn prose(letters: usize) -> String {
    let sentence =
        "The tide leaves a thin layer of silt between the stems, and the surface grows by a little every year. ";
    sentence.repeat(letters / sentence.len() + 1)
}

#[test]
fn a_chapter_about_literature_is_no_list_of_references_and_the_list_of_a_chapter_is_one() {
    use SectionKind::*;
    let citing = "Smith (1999) and Brown (2001) find that prices rise in winter, whereas Garcia (2005) and Hughes (2007) find the \
                  opposite for the UK.\n\nA second strand, of which Card (1999), Heckman (2006) and Angrist and Krueger (1991) are \
                  the best known, treats custom as an instrument.";
    let listed = "Clerk, A. (1991). The growth of marshes. Annals of Tides, 12(3), 34–45.\n\nMüller, Hans (1985): Die Ordnung der \
                  Dörfer. Göttingen: Vandenhoeck.\n\nWeber, Karl (1987): Urkunden lesen. Berlin: de Gruyter.";
    for (title, below, expected) in [
        ("2 Literature", citing, Chapter),
        ("2 Quellen", citing, Chapter),
        ("Literature", citing, Chapter),
        ("References", listed, References),
    ] {
        let (before, behind) = (prose(800), prose(4000));
        let text = format!(
            "1 Introduction\n\n{before}\n\n{title}\n\n{below}\n\n3 Methods\n\n{behind}\n\n4 Results\n\n{behind}\n\nReferences\n\n{listed}\n"
        );
        let found = outline(&text, &Layout::default());
        let of_title: Vec<_> = found.iter().filter(|(_, of)| of == title).map(|(kind, _)| *kind).collect();
        assert_eq!(of_title.first(), Some(&expected), "{found:?}");
        assert_eq!(found.last(), Some(&(References, "References".to_owned())));
    }
}

#[test]
fn sentences_with_the_number_of_a_note_behind_them_are_no_entries_of_the_contents() {
    use SectionKind::*;
    let titles = ["1 Introduction", "2 Dykes and their builders", "3 The great flood", "4 Conclusion"];
    let noted = |note: usize| {
        format!(
            "The people of this village built their dyke by themselves, and the elder knew all of its niceties.{note}"
        )
    };
    let noted = (1..=12).map(noted).collect::<Vec<_>>().join("\n\n");
    for between in ["\t", " ", " ........ "] {
        let entries: String = (1..).zip(titles).map(|(n, title)| format!("{title}{between}{}\n", 4 * n)).collect();
        let chapters: String = titles.map(|title| format!("{title}\n\n{noted}\n\n")).concat();
        let found = outline(&format!("Contents\n{entries}\n{chapters}"), &Layout::default());
        let expected: Vec<_> = titles.map(|title| (Chapter, title.to_owned())).to_vec();
        assert_eq!(found, [vec![(Contents, "Contents".to_owned())], expected].concat(), "{between:?}");
    }
}

#[test]
fn the_titles_of_examiners_end_no_sentence_on_a_title_page() {
    let cover = "Handwerk und Ordnung in kleinen Gemeinden\n\nMasterarbeit zur Erlangung des akademischen Grades Master of Arts, vorgelegt von \
                 Anna Vogel, Matrikelnummer 21560987, an der Philosophischen Fakultät der Universität Göttingen, Erstgutachter: Prof. Dr. \
                 Karl Weber, Zweitgutachterin: Prof. Dr. Eva Schmidt, Göttingen 2019";
    let text = format!("{cover}\n\nZusammenfassung\n\n{}\n\n1 Einleitung\n\n{}\n", prose(300), prose(2000));
    let first = &Structure::find(&text, &Layout::default()).sections[0];
    assert_eq!(first.kind, SectionKind::TitlePage);
    let cover: String = text.chars().skip(first.start as usize).take((first.end - first.start) as usize).collect();
    assert!(cover.contains("Göttingen 2019"), "{cover}");
}

#[test]
fn chapters_without_a_number_are_known_from_the_contents() {
    use SectionKind::*;
    let chapter = |title: &&str| format!("{title}\n\n{}\n\n", prose(1600));
    for titles in [
        &["INTRODUCTION", "MARSHES", "DYKES", "CONCLUSION"][..],
        &["引言", "一、盐沼的由来", "二、堤坝与人", "三、堤坝的账本", "结语"],
        &["Introduction générale", "Chapitre 1. Les marais", "Chapitre 2. Les digues", "Conclusion générale"],
    ] {
        let contents: String = titles.iter().map(|title| format!("{title}\t7\n")).collect();
        let text = format!("Contents\n{contents}\n{}", titles.iter().map(chapter).collect::<String>());
        let expected: Vec<_> = titles.iter().map(|title| (Chapter, (*title).to_owned())).collect();
        assert_eq!(outline(&text, &Layout::default()), [vec![(Contents, "Contents".to_owned())], expected].concat());
    }
}

#[test]
fn a_title_page_may_stand_before_thanks_or_the_first_chapter() {
    let cover = "University of Example\n\nA thesis submitted for the degree of Master of Arts\n\nOn Marshes\n\nJane Clerk\n\nSupervisor: A. Miller";
    for first in ["Acknowledgements\n\nI thank all who helped me.\n\n1 Introduction", "1 Introduction"] {
        let text = format!("{cover}\n\n{first}\n\n{0}\n\n2 Methods\n\n{0}\n\n3 Results\n\n{0}\n", prose(1500));
        let found = outline(&text, &Layout::default());
        assert_eq!(found[0].0, SectionKind::TitlePage, "{found:?}");
        let opening = text.replace(cover, "On Marshes");
        assert_eq!(outline(&opening, &Layout::default())[0].0, SectionKind::Chapter, "a title alone is no title page");
    }
}

#[test]
fn a_label_is_nothing_but_what_numbers_a_chapter_or_a_section_in_any_language() {
    for label in ["31", "chapter3", "第三章", "第12節", "第十回", "제1장", "kapitel2", "三"] {
        assert!(super::is_label(label), "{label}");
    }
    for other in ["results", "3results", "第三章绪论", "章法"] {
        assert!(!super::is_label(other), "{other}");
    }
}
