use super::*;
use crate::layout::{LeftOut, Mark, MarkKind};
use crate::visible::visible;

/// Kind, start, end and count.
type Found = (&'static str, u32, u32, u32);

fn of(text: &str, marks: &[Mark]) -> Vec<Found> {
    let layout = Layout::new(marks.to_vec());
    let units = Units::from_text(&visible(text, &layout));
    let found = Flag::find_all(text, &layout, &Structure::find(text, &layout), &units);
    found.into_iter().map(|flag| (flag.kind.as_str(), flag.start, flag.end, flag.count)).collect()
}

fn flags(text: &str) -> Vec<Found> {
    of(text, &[])
}

#[test]
fn disguises_of_letters_and_blanks_are_flagged() {
    let cases: &[(&str, &[Found])] = &[
        ("an ordinary text, 潮汐沼泽 and naïve café", &[]),
        ("the ma\u{200b}rsh and the ti\u{200b}de", &[("zero_width", 4, 24, 2)]),
        ("the ma\u{fffb}rsh lies there", &[("zero_width", 4, 10, 1)]),
        ("the m\u{430}rsh lies there", &[("look_alike", 4, 9, 1)]),
        ("a\u{2005}b and c\u{2009}d", &[("white_space", 1, 10, 2)]),
        ("the\u{3164}marsh\u{ffa0}lies", &[("white_space", 3, 10, 2)]),
        ("they m a r s h e s say", &[("white_space", 5, 18, 7)]),
        ("the \u{202e}hsram\u{202c} lies", &[("direction", 5, 10, 5)]),
        ("潮i汐i沼i泽", &[("odd_letters", 1, 6, 3)]),
        ("plan A B C of them", &[]),
        ("A B S T R A C T and more", &[]),
        ("a wide\u{3000}blank 中\u{3000}文", &[]),
        ("hy\u{ad}phen\u{ad}ation in a book", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(flags(text), *expected, "{text}");
    }
}

#[test]
fn formulas_names_of_proteins_and_accents_of_old_fonts_are_no_disguise() {
    for text in [
        "where 𝑥 and 𝑦𝑖 are small",
        "Gαi and TGFβ, NFκB with β-catenin in 5 μm",
        "la situacio\u{301}n y el espan\u{303}ol, aqui\u{301} y así",
        "⽂⾔ and ⻩⾊",
    ] {
        assert_eq!(flags(text), [], "{text}");
    }
}

#[test]
fn a_sign_in_a_long_text_is_none() {
    let text = format!("the ma\u{200b}rsh {}", "and an ordinary text ".repeat(500));
    assert_eq!(flags(&text), []);
}

#[test]
fn words_of_two_alphabets_that_no_look_alike_explains_are_flagged() {
    let found = flags("the m\u{436}rsh\u{444} lies there");
    assert_eq!(found, [("mixed_script", 4, 10, 1)]);
}

#[test]
fn letters_replaced_all_over_are_a_flag_of_the_whole_text() {
    let text = "the m\u{430}rsh ".repeat(25);
    let found = flags(&text);
    assert!(found.contains(&("replaced_letters", 0, 250, 25)), "{found:?}");
}

#[test]
fn figures_in_names_of_genes_chemicals_programs_and_in_code_are_no_disguise() {
    let kinds = |text: &str| flags(text).iter().any(|flag| flag.0 == "replaced_letters");
    let prose = "the marsh lies where the tide turns and every creek fills with silt in the spring ";
    let names = "TGFβ Gαi H2O CO2 mp3 x86 il1b h3k4me3 h3k27ac log4j html5lib d3js web3js arm7tdmi utf8mb4 base64url tp53inp cyp1a \
                 slc7a3a hsp70l tnf4sf p53mut ab3fcd a1b2c3de sha3sum int3ger vec3f mat4x k3sup s3fs i3wm ";
    assert!(!kinds(&(prose.repeat(30) + names)), "names once");
    assert!(!kinds(&(prose.repeat(30) + names).repeat(3)), "names again and again");
    let read: String = prose.split(' ').map(|word| word.replace('i', "1").replace('e', "3") + " ").collect();
    assert!(kinds(
        &(prose.repeat(10)
            + &read
            + "th3se wh1ch th1ng st0ne wat3r r1ver gr4ss pl4nt l4nds b0ats m1les st0rm s3als h0rse cr4bs ")
            .repeat(3)
    ));
}

#[test]
fn the_spelling_of_other_languages_is_no_disguise() {
    for text in [
        // Slovene and Lithuanian; Hungarian; French in decomposed letters; Breton; Ewe; Vietnamese in decomposed letters.
        "človek začne reči kaj več, če hoče, žodžiai žmogaus, že živi ",
        "több fülű szürke ürge ült a füles fűzfán, üdvözül sok olvasó ország ",
        "les e\u{301}le\u{300}ves e\u{301}taient a\u{300} la fene\u{302}tre, de\u{301}ja\u{300} pre\u{302}ts ",
        "ne c'hell den ebet dec'h hag arc'hoazh lavarout ar c'hentañ pezh e oa o klask pa zeuas er gêr ",
        "amegbetɔwo katã wodzɔ ablɔɖeviwoe eye wosɔ le bubu kple gomenɔamesiwo me ",
        "tie\u{302}\u{301}ng Vie\u{323}\u{302}t co\u{301} nhie\u{302}\u{300}u da\u{302}\u{301}u, ba\u{323}n a\u{323} cho ra sao ",
    ] {
        assert_eq!(flags(&text.repeat(60)), [], "{text}");
    }
}

#[test]
fn a_chinese_text_that_cites_by_numbers_is_no_disguise() {
    let sentence = |number| format!("潮汐沼泽截留泥沙，地面逐年升高，村里的老人都记得那一年的大水[{number}]。");
    assert_eq!(flags(&(1..=60).map(sentence).collect::<String>()), []);
}

#[test]
fn a_text_without_blanks_is_flagged() {
    let text = "thetidalmarshestrapthesiltthateveryfloodcarriesover. ".repeat(100);
    assert_eq!(flags(&text)[0].0, "word_length");
}

#[test]
fn what_the_format_hides_is_flagged_with_its_size() {
    let mark = |kind, start, end| Mark { kind, start, end };
    let marks = [
        mark(MarkKind::Hidden(12), 3, 3),
        mark(MarkKind::White, 4, 9),
        mark(MarkKind::Tiny, 10, 13),
        mark(MarkKind::Unseen, 14, 18),
        mark(MarkKind::LeftOut(LeftOut::Unread, 50), 18, 18),
    ];
    let expected = [
        ("white_text", 4, 9, 5),
        ("tiny_text", 10, 13, 3),
        ("hidden_text", 3, 3, 12),
        ("unseen_text", 14, 18, 4),
        ("left_out", 18, 18, 50),
    ];
    assert_eq!(of("one three and more", &marks), expected);
}

#[test]
fn labels_of_figures_are_no_hidden_text() {
    let text =
        format!("{}\n\nx axis\n\n0.5 1.0\n\n{}", "Words that all can read. ".repeat(5), "And others. ".repeat(9));
    let start = text.chars().position(|c| c == 'x').unwrap() as u32;
    let marks = [
        Mark { kind: MarkKind::Tiny, start, end: start + 6 },
        Mark { kind: MarkKind::Tiny, start: start + 8, end: start + 15 },
    ];
    assert_eq!(of(&text, &marks), []);
}

/// Kinds of flags of a text with these marks.
fn kinds(text: &str, marks: &[Mark]) -> Vec<&'static str> {
    of(text, marks).into_iter().map(|flag| flag.0).collect()
}

#[test]
fn signs_of_formulas_are_no_disguise_and_the_same_signs_in_prose_are() {
    let prose = "the marsh lies where the tide turns and every creek fills with silt in the spring ";
    let logic = "p ∧ q → r ∨ ¬ p ⊢ ( q → r ) ∀ x ∃ y R x = y ".repeat(60);
    let spaced: String = prose.chars().filter(|c| *c != ' ').flat_map(|c| [c, ' ']).collect();
    let with_signs: String = prose.chars().filter(|c| *c != ' ').flat_map(|c| [c, ' ', '∧', ' ']).collect();
    let operators = "where f\u{2061}(x) = 2\u{2062}x and sin\u{2061}x = a\u{2062}b hold ".repeat(9);
    let cases: [(&str, String, bool); 5] = [
        ("formulas of logic", logic + prose, false),
        ("letters apart", spaced.repeat(6), true),
        ("letters apart with signs between", with_signs.repeat(8), true),
        ("operators of MathML", operators, false),
        ("operators in words", prose.replace("ar", "a\u{2062}r").replace("ee", "e\u{2061}e").repeat(3), true),
    ];
    for (what, text, is_flagged) in cases {
        assert_eq!(!kinds(&text, &[]).is_empty(), is_flagged, "{what}: {:?}", kinds(&text, &[]));
    }
}

#[test]
fn labels_beside_each_other_are_no_hidden_text_and_hidden_words_of_a_line_are() {
    let mark = |start, end| Mark { kind: MarkKind::Unseen, start, end };
    let prose = "Words that all can read. ".repeat(8);
    let labels = format!("depth 0.5 wide 1.0\n\n{prose}");
    assert_eq!(kinds(&labels, &[mark(0, 5), mark(6, 9), mark(10, 14), mark(15, 18)]), [] as [&str; 0]);
    let beside = format!("depth of the tide that nobody sees\n\n{prose}");
    assert_eq!(kinds(&beside, &[mark(0, 5), mark(18, 22)]), ["unseen_text"]);
    let many = format!("{}\n\n{prose}", "hidden words here ".repeat(6));
    let marks: Vec<Mark> = (0..6).map(|at| mark(18 * at, 18 * at + 17)).collect();
    assert_eq!(kinds(&many, &marks), ["unseen_text"]);
}

#[test]
fn an_unseen_span_inside_another_that_ends_before_the_line_of_a_third_is_no_label_of_it() {
    let text = format!("{}\n{} words {}", "a".repeat(20), "b".repeat(23), "c".repeat(10));
    // The first two reach into the second line, and the one inside them ends before that.
    let spans = [0..30, 1..31, 2..5, 22..23, 24..25, 45..50];
    let marks = spans.map(|span| Mark { kind: MarkKind::Unseen, start: span.start, end: span.end });
    assert_eq!(of(&text, &marks), [("unseen_text", 0, 50, 68)]);
}

#[test]
fn short_arguments_of_macros_are_no_hidden_text_and_hidden_paragraphs_are() {
    let hidden = |count, times: u32| -> Vec<Mark> {
        (0..times).map(|at| Mark { kind: MarkKind::Hidden(count), start: at * 20, end: at * 20 }).collect()
    };
    let prose = "Words that all can read. ".repeat(200);
    for (count, times, is_flagged) in [(8, 12, false), (8, 100, true), (10, 3, false), (200, 1, true)] {
        let expected: &[&str] = if is_flagged { &["hidden_text"] } else { &[] };
        let mut found = kinds(&prose, &hidden(count, times));
        found.dedup();
        assert_eq!(found, expected, "{count} {times}");
    }
}

#[test]
fn what_honest_theses_have_between_their_prose_is_no_disguise_and_the_same_done_to_their_words_is() {
    let prose = "The marsh lies where the tide turns, and every creek fills with fine silt in the spring, while the reeds on its banks \
                 slow the water down and keep what the river brought from the hills. ";
    let chinese = "盐沼由两个方向填满，潮水从外面带来细沙，河流从里面带来泥土，植物的根把它们固定下来。";
    let german = "Die Gezeiten lassen zweimal am Tag eine dünne Schicht Schlick zwischen den Halmen zurück, und die Marsch wächst. ";
    let glosses = "(12) ev-ler-imiz-den gel-di-ler house-PL-1PL.POSS-ABL come-PST-3PL 'They came from our houses.'\n";
    let phonetic = "[ˈtʰeɪ̯bɫ̩] [ˌɪntəˈnæʃənəɫ] /ˈwɔːtə/ [ʔʊmˈʔaʁmt] /ðə ˈlɪtl̩ bɔɪ ˈwɒz ˈrʌnɪŋ/ ";
    let southern_min = "Guá beh khì chhī-tiûⁿ, góa ê chú-jîn-kong m̄-chai beh án-chóaⁿ kóng, in-ūi chit-hāng tāi-chì. ";
    let pinyin = "wǒmen jīntiān qù túshūguǎn kàn shū, tāmen zài jiàoshì lǐ xuéxí hànyǔ, lǎoshī shuō shēngdiào. ";
    let emphasis = "Der Verfasser hat dies a u s d r ü c k l i c h betont. ";
    let conversation =
        "01 A: .hhh we:ll I (.) I wen' down tuh the- (0.7) the sto::re= 02 B: =Mm hm, (1.2) >y'know what I mean<\n";
    let passwords =
        "123456 p4ssw0rd qwerty123 letme1n adm1n iloveyou1 dr4g0n m0nkey s3cret trustno1 sh4dow h4x0r 5unsh1ne ";
    let done_to = |text: &str, change: fn(&str) -> String| {
        text.split(' ')
            .map(|word| if word.len() > 3 { change(word) } else { word.to_owned() } + " ")
            .collect::<String>()
    };
    let parted: fn(&str) -> String = |word| format!("{}-{}", &word[..2], &word[2..]);
    let marked: fn(&str) -> String = |word| word.replace('a', "ā").replace('e', "ē").replace('i', "ī");
    let apart: fn(&str) -> String = |word| word.chars().flat_map(|c| [c, ' ']).collect();
    let beside = |prose: &str, times: usize, other: &str| (prose.repeat(times) + other).repeat(40);
    let cases: [(&str, String, bool); 15] = [
        ("glosses", beside(prose, 2, glosses), false),
        ("phonetic script", beside(prose, 2, phonetic), false),
        ("Southern Min", beside(prose, 2, southern_min), false),
        ("Southern Min in Chinese", beside(chinese, 4, southern_min), false),
        ("pinyin", beside(prose, 2, pinyin), false),
        ("pinyin in Chinese", beside(chinese, 4, pinyin), false),
        ("emphasis", beside(german, 4, emphasis), false),
        ("conversation analysis", beside(prose, 2, conversation), false),
        ("passwords in Chinese", beside(chinese, 8, passwords), false),
        ("passwords", beside(prose, 4, passwords), false),
        ("hyphens for blanks", (prose.replace(' ', "-") + "\n").repeat(40), true),
        ("words parted", done_to(&prose.repeat(40), parted), true),
        ("every second sentence parted", beside(prose, 1, &done_to(prose, parted)), true),
        ("letters marked", marked(&prose.repeat(40)), true),
        ("letters apart", beside(prose, 1, &done_to(prose, apart)), true),
    ];
    for (what, text, is_flagged) in cases {
        assert_eq!(!kinds(&text, &[]).is_empty(), is_flagged, "{what}: {:?}", kinds(&text, &[]));
    }
}
