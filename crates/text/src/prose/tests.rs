use super::*;
use crate::layout::{LeftOut, Mark, MarkKind};

/// A paragraph in each language whose words are in `languages`, and in some that have neither words nor a table.
pub(crate) const HONEST: [(&str, &str); 16] = [
    (
        "German",
        "Die Salzwiesen wachsen mit dem Meer, solange jede Flut genug Schlick über die Ufer der Priele trägt. Wer davor einen Deich \
        baut, hungert sie aus: Nach einigen Jahrzehnten sind die Rinnen doppelt so breit, und die Pflanzen ertrinken. Diese Arbeit fragt, wie \
        viel Wasser aus den Feldern dahinter in die Wiesen sickert und warum es bisher niemand gemessen hat.",
    ),
    (
        "English",
        "Tidal marshes trap the silt that every flood carries over the banks of the creek. Engineers who build dykes in front of it \
        starve the surface, and within decades its channels widen until the plants drown. This thesis asks how much water seeps from the \
        fields behind them and why nobody has measured it so far.",
    ),
    (
        "Spanish",
        "Las marismas crecen con el mar mientras cada marea lleve suficiente limo por encima de las orillas. Quien construye un dique \
        delante de ellas las deja sin alimento: al cabo de unas décadas los canales son el doble de anchos y las plantas se ahogan. Este \
        trabajo pregunta cuánta agua se filtra desde los campos y por qué nadie la ha medido hasta ahora.",
    ),
    (
        "French",
        "Les prés salés montent avec la mer tant que chaque marée apporte assez de vase par-dessus les rives. Celui qui bâtit une digue \
        devant eux les affame : après quelques décennies, les chenaux sont deux fois plus larges et les plantes se noient. Ce mémoire \
        demande combien d’eau s’infiltre depuis les champs et pourquoi personne ne l’a mesurée jusqu’à présent.",
    ),
    (
        "Italian",
        "Le barene crescono con il mare finché ogni marea porta abbastanza limo sopra le rive dei canali. Chi costruisce una diga \
        davanti a esse le affama: dopo alcuni decenni i canali sono larghi il doppio e le piante annegano. Questa tesi chiede quanta acqua \
        filtra dai campi e perché nessuno l’ha misurata finora, benché molti ne abbiano scritto.",
    ),
    (
        "Polish",
        "Słone łąki rosną razem z morzem, dopóki każdy przypływ niesie dość mułu ponad brzegi kanałów. Kto buduje przed nimi wał, ten \
        je głodzi: po kilku dziesięcioleciach kanały są dwa razy szersze, a rośliny toną. Ta praca pyta, ile wody przesącza się z pól i \
        dlaczego nikt jej do tej pory nie zmierzył, choć wielu o niej pisało.",
    ),
    (
        "Portuguese",
        "Os sapais crescem com o mar enquanto cada maré levar lodo suficiente por cima das margens. Quem constrói um dique à frente \
        deles deixa-os sem alimento: ao fim de algumas décadas os canais têm o dobro da largura e as plantas afogam-se. Este trabalho \
        pergunta quanta água se infiltra dos campos e porque é que ninguém a mediu até agora.",
    ),
    (
        "Russian",
        "Солёные луга растут вместе с морем, пока каждый прилив приносит достаточно ила через берега протоков. Тот, кто строит перед \
        ними дамбу, лишает их пищи: через несколько десятилетий протоки становятся вдвое шире, и растения тонут. В этой работе \
        спрашивается, сколько воды просачивается с полей и почему её до сих пор никто не измерил.",
    ),
    (
        "Chinese",
        "每一次潮水都在植物的茎之间留下薄薄一层淤泥，地面随着海面一起升高，直到下一场风暴把它带走。如果在前面修筑堤坝，几十年之后水道就会变宽一倍，\
        植物也会被淹没。本文研究从后面的农田里渗出多少水，以及为什么到现在还没有人测量过它。研究方法是在三条水道的两岸埋设管子，每个月记录两次水位。",
    ),
    (
        "traditional Chinese",
        "每一次潮水都在植物的莖之間留下薄薄一層淤泥，地面隨著海面一起升高，直到下一場風暴把它帶走。如果在前面修築堤壩，幾十年之後水道就會變寬一倍，\
        植物也會被淹沒。本文研究從後面的農田裡滲出多少水，以及為什麼到現在還沒有人測量過它。研究方法是在三條水道的兩岸埋設管子，每個月記錄兩次水位。",
    ),
    (
        "classical Chinese",
        "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？其为人也孝弟，而好犯上者，鲜矣；不好犯上，而好作乱者，未之有也。\
        君子务本，本立而道生。孝弟也者，其为仁之本与！巧言令色，鲜矣仁。吾日三省吾身：为人谋而不忠乎？与朋友交而不信乎？传不习乎？",
    ),
    (
        "Japanese",
        "潮が満ちるたびに、植物の茎のあいだに薄い泥の層が残り、地面は海面とともに高くなっていく。その前に堤防を築くと、数十年のうちに水路の幅は二倍になり、\
        植物は溺れてしまう。本論文では、後ろの畑からどれだけの水がしみ出しているのか、なぜこれまで誰も測らなかったのかを問う。",
    ),
    (
        "Korean",
        "밀물이 들 때마다 식물의 줄기 사이에 얇은 진흙층이 남고 땅은 바다와 함께 높아진다. 그 앞에 둑을 쌓으면 수십 년 안에 물길의 너비가 두 배가 되고 식물은 \
        물에 잠긴다. 이 논문은 뒤쪽 밭에서 얼마나 많은 물이 스며 나오는지, 그리고 왜 지금까지 아무도 그것을 재지 않았는지를 묻는다.",
    ),
    (
        "Galician, which has no table",
        "As marismas medran co mar mentres cada marea leve lama abondo por riba das beiras dos canais. Quen constrúe un \
        dique diante delas déixaas sen alimento: ao cabo dunhas décadas as canles son o dobre de largas e as plantas afogan. Este traballo \
        pregunta canta auga se filtra desde os campos e por que ninguén a mediu ata agora.",
    ),
    (
        "Luxembourgish, which has no table",
        "D'Salzwise wuessen mam Mier, soulaang all Flut genuch Schlamm iwwer d'Uferen bréngt. Wien virdrun en \
        Deich baut, dee léisst se verhongeren: no e puer Joerzéngten sinn d'Kanäl duebel sou breet, an d'Planzen erdrénken. Dës Aarbecht freet, \
        wéi vill Waasser aus de Felder dohannert erauskënnt a firwat bis haut keen et gemooss huet.",
    ),
    (
        "Hindi, which has no table",
        "हर ज्वार के साथ पौधों के तनों के बीच कीचड़ की एक पतली परत रह जाती है और ज़मीन समुद्र के साथ ऊपर उठती है। यदि उसके सामने बाँध बनाया \
        जाए तो कुछ दशकों में नहरें दुगुनी चौड़ी हो जाती हैं और पौधे डूब जाते हैं।",
    ),
];

fn compared(text: &str, marks: Vec<Mark>) -> Compared {
    let layout = Layout::new(marks);
    let seen = crate::visible::visible(text, &layout);
    Compared::of(&seen, &Normalised::of(&seen).text, &layout, &Structure::find(text, &layout), &Units::from_text(&seen))
}

/// What most of a text was not compared for.
fn cause(text: &str) -> Option<Cause> {
    let compared = compared(text, Vec::new());
    let most = compared.by_cause().into_iter().max_by_key(|(_, count)| *count);
    most.filter(|(_, count)| 2 * count > compared.seen).map(|(cause, _)| cause)
}

pub(crate) fn demo(language: &str) -> Vec<String> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpora/demo/reference")).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let is_text = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension != "html");
    paths.retain(|path| is_text(path) && path.file_name().unwrap().to_str().unwrap().starts_with(language));
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn honest_prose_of_every_language_is_compared_as_language() {
    for (language, text) in HONEST {
        let compared = compared(text, Vec::new());
        assert!(compared.share() >= 0.95, "{language}: {:?}", compared.by_cause());
        // Galician has frequent words of Portuguese.
        assert_eq!(2 * compared.unknown > compared.seen, language.starts_with("Luxembourgish"), "{language}");
    }
    for text in ["en", "zh"].into_iter().flat_map(demo) {
        assert!(compared(&text, Vec::new()).share() >= 0.95, "{}", &text[..text.len().min(99)]);
    }
}

#[test]
fn words_that_were_spoilt_are_no_language_whatever_spoilt_them() {
    let undone = ["honest", "hyphens in words of 5 letters and more"];
    for (name, trick) in tricks::WITH_WORDS.into_iter().filter(|(name, _)| *name != tricks::MISSED) {
        let shares: Vec<f64> = demo("en").iter().map(|text| compared(&trick(text), Vec::new()).share()).collect();
        let is_right = |share: &f64| if undone.contains(&name) { *share > 0.95 } else { *share < 0.6 };
        assert!(shares.iter().all(is_right), "{name}: {shares:.2?}");
    }
}

#[test]
fn han_characters_that_make_no_words_are_no_language_whatever_mixed_them() {
    for (name, trick) in tricks::WITH_HAN.into_iter().filter(|(name, _)| *name != tricks::MISSED) {
        let shares: Vec<f64> = demo("zh").iter().map(|text| compared(&trick(text), Vec::new()).share()).collect();
        let is_right = |share: &f64| if name == "honest" { *share > 0.95 } else { *share < 0.6 };
        assert!(shares.iter().all(is_right), "{name}: {shares:.2?}");
    }
}

#[test]
fn words_of_other_languages_that_were_spoilt_are_no_language_either() {
    let swapped =
        tricks::WITH_WORDS.iter().filter(|(name, _)| name.contains("swapped") || name.contains("other letters"));
    for (name, trick) in swapped {
        for (language, text) in HONEST.into_iter().filter(|(language, _)| {
            ["German", "Spanish", "French", "Italian", "Polish", "Portuguese"].contains(language)
        }) {
            let share = compared(&trick(&text.repeat(3)), Vec::new()).share();
            assert!(share < 0.2, "{language}, {name}: {share:.2}");
        }
    }
}

#[test]
fn what_is_no_prose_stands_under_its_cause() {
    let figures = "12.5\t13.75\t0.04\t1887\n22.5\t3.75\t10.04\t1987\n".repeat(20);
    let code =
        "fn idx(ptr: *mut u8, len: usize) -> i32 { tmp[k] ^= buf[(k << 2) & 0xff]; uidvec.iter_mut(); }\n".repeat(9);
    let phonetic = "ˈtaɪdl̩ ˈmɑːʃɪz ˈtræp ðə ˈsɪlt ðət ˈɛvɹi ˈflʌd ˈkæɹiz ˈəʊvə ðə ˈbæŋks ".repeat(6);
    let formulas = "x = a + b, y ≤ c · d, ∑ z = x − k, p(x | y) = f(x) / g(y), u ∈ V, q → r\n".repeat(9);
    let letters = "qxzv kwj pfxg tcv bnmq wzk ".repeat(20);
    for (text, expected) in [
        (figures, Cause::Figures),
        (code, Cause::Code),
        (phonetic, Cause::OtherAlphabet),
        (formulas, Cause::Formulas),
        (letters, Cause::NoLanguage),
    ] {
        assert_eq!(cause(&text), Some(expected), "{text}");
    }
}

#[test]
fn terms_and_figures_within_prose_are_compared_with_it() {
    let terms =
        "本文使用Kubernetes与Prometheus构建了一个集群，通过ScrollView和Fragment显示界面，并在Cortex-M0上每10毫秒采样一次。"
            .repeat(9);
    let names = "In 1998 Furlan, Pagani and Malliani measured the pressure in 12 patients of the hospital at Bergamo, and Grady (2000) in 31. ".repeat(9);
    for text in [terms, names] {
        assert!(compared(&text, Vec::new()).share() > 0.95, "{text}");
    }
}

#[test]
fn marks_say_why_text_was_not_compared() {
    let text = format!("{}\n\n{}", HONEST[1].1, HONEST[1].1);
    let (start, end) = (text.chars().count() as u32 / 2 + 1, text.chars().count() as u32);
    let (all, half) = (compared(&text, Vec::new()).seen, compared(HONEST[1].1, Vec::new()).seen);
    assert_eq!(all, 2 * half);
    for (kind, expected, seen) in [
        (MarkKind::Formula, Cause::Formulas, all),
        (MarkKind::Unjudged, Cause::Unjudged, all),
        (MarkKind::PictureLayer, Cause::PicturesWithText, all),
        (MarkKind::TextPicture, Cause::PicturesWithText, all + 1500 - (end - start)),
        (MarkKind::Unmapped(77), Cause::NoLanguage, all + 77),
        (MarkKind::PictureText(300), Cause::PicturesWithText, all + 300),
        (MarkKind::LeftOut(LeftOut::Unread, 500), Cause::UnresolvedInput, all + 500),
        (MarkKind::LeftOut(LeftOut::Formula, 400), Cause::Formulas, all + 100),
    ] {
        let is_empty = kind.dropped().is_some() || matches!(kind, MarkKind::PictureText(_));
        let start = if is_empty { end } else { start };
        let found = compared(&text, vec![Mark { kind, start, end }]);
        assert_eq!((found.seen, found.by_cause().into_keys().collect::<Vec<_>>()), (seen, vec![expected]), "{kind:?}");
    }
    // Letters of one width may hold any text.
    let typewritten = compared(&text, vec![Mark { kind: MarkKind::Code, start, end }]);
    assert_eq!((typewritten.seen, typewritten.share()), (all, 1.0));
    let unseen = compared(&text, vec![Mark { kind: MarkKind::White, start, end }]);
    assert_eq!((unseen.seen, unseen.share()), (half, 1.0));
    assert!(Cause::ALL.into_iter().all(|cause| serde_plain(cause) == cause.as_str()));
}

#[test]
fn pictures_between_words_stand_for_words_and_those_that_illustrate_a_text_or_mark_its_items_do_not() {
    let text = format!("{}\n\n{}", HONEST[1].1, HONEST[1].1);
    let letters: Vec<u32> = (0u32..).zip(text.chars()).filter(|(_, c)| c.is_alphanumeric()).map(|(at, _)| at).collect();
    let picture = |at: u32| Mark { kind: MarkKind::Picture, start: at, end: at };
    let told = |text: &str, places: &[u32]| {
        let compared = compared(text, places.iter().map(|at| picture(*at)).collect());
        compared.by_cause().get(&Cause::PicturesWithText).copied().unwrap_or(0)
    };
    let every_ninth: Vec<u32> = letters.iter().copied().skip(4).step_by(9).collect();
    assert_eq!(told(&text, &every_ninth), 5 * every_ninth.len() as u32);
    assert_eq!(told(&text, &every_ninth[..19]), 0, "a few");
    // Items, and a text with figures between its paragraphs.
    let items = "Some item of a list that is long enough.\n".repeat(40);
    assert_eq!(told(&items, &(0..40).map(|line| 41 * line).collect::<Vec<_>>()), 0, "items");
    let figures = format!("{}\n\n", text.repeat(8)).repeat(21);
    let length = figures.chars().count() as u32 / 21;
    assert_eq!(told(&figures, &(1..=20).map(|at| length * at - 1).collect::<Vec<_>>()), 0, "figures");
    // Lines of words, each a picture.
    let own = format!("{text}{}", "\n".repeat(120));
    let alone: Vec<u32> = (0..100).map(|line| text.chars().count() as u32 + 2 + line).collect();
    assert_eq!(told(&own, &alone), 500, "lines");
}

#[test]
fn prose_beside_a_listing_is_no_part_of_it_where_the_format_tells_the_border() {
    let listing = "for (uint i = 0; i < src.length; i++) { if (!isInSameSubnet(src[i], srcmask[i])) { throw; } reports.push(src[i]); }\n";
    let (prose, listing) = (HONEST[1].1, listing.repeat(4));
    // A listing that ends within a window, and prose that is shorter than one.
    let short = &prose[..160];
    let text = format!("{prose}\n\n{listing}\n{short}\n\n{listing}");
    let place = |from: usize| text[..from].chars().count() as u32;
    let starts: Vec<usize> = text.match_indices(&listing).map(|(at, _)| at).collect();
    let mark = |at: &usize| Mark { kind: MarkKind::Code, start: place(*at), end: place(at + listing.len()) };
    let marked = compared(&text, starts.iter().map(mark).collect());
    let of_prose = compared(prose, Vec::new()).seen + compared(short, Vec::new()).seen;
    assert_eq!(marked.compared, of_prose, "{:?}", marked.spans);
    let unmarked = compared(&text, Vec::new());
    assert!(unmarked.compared < of_prose, "{:?}", unmarked.spans);
}

/// How a cause is written in JSON.
fn serde_plain(cause: Cause) -> String {
    let name = format!("{cause:?}");
    let parted = name
        .char_indices()
        .flat_map(|(at, c)| (at > 0 && c.is_uppercase()).then_some('-').into_iter().chain(c.to_lowercase()));
    parted.collect()
}

#[test]
fn the_counts_of_all_causes_and_what_was_compared_add_up() {
    let text = HONEST[1].1.repeat(3) + &"qxzv kwj pfx ".repeat(99);
    let found = compared(&text, vec![Mark { kind: MarkKind::Formula, start: 100, end: 200 }]);
    assert_eq!(found.seen, found.compared + found.by_cause().values().sum::<u32>());
    assert!(
        found.compared > 500 && found.by_cause()[&Cause::NoLanguage] > 700 && found.by_cause()[&Cause::Formulas] > 70
    );
}

/// Each word, changed.
fn each_word(text: &str, change: impl Fn(usize, &str) -> String) -> String {
    text.split_whitespace().enumerate().map(|(at, word)| change(at, word) + " ").collect()
}

#[test]
fn english_is_no_unknown_language_however_its_letters_and_blanks_were_put_elsewhere() {
    type Trick = fn(&str) -> String;
    let tricks: [(&str, Trick); 3] = [
        ("words reversed", |text| each_word(text, |_, word| word.chars().rev().collect())),
        ("words joined by twos", |text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.chunks(2).map(|two| two.concat() + " ").collect()
        }),
        ("words doubled", |text| each_word(text, |_, word| [word, word].concat())),
    ];
    for (name, trick) in tricks {
        let shares: Vec<f64> = demo("en").iter().map(|text| compared(&trick(text), Vec::new()).share()).collect();
        assert!(shares.iter().all(|share| *share < 0.6), "{name}: {shares:.2?}");
    }
    // Beside it: a language without a table, more of it than is looked at.
    let luxembourgish = HONEST.iter().find(|(name, _)| name.starts_with("Luxembourgish")).unwrap().1;
    assert!(compared(&luxembourgish.repeat(20), Vec::new()).share() > 0.95);
}

#[test]
fn kana_make_japanese_of_chinese_only_where_they_stand_as_in_japanese() {
    let behind = |sign: &str, every: usize, text: &str| {
        let mut han = 0;
        let character = |c: char| {
            han += usize::from(is_han(c));
            if is_han(c) && han % every == 0 { format!("{c}{sign}") } else { c.to_string() }
        };
        text.chars().map(character).collect::<String>()
    };
    for (sign, every) in [("の", 1), ("の", 2), ("ア", 2), ("です", 2), ("々", 1), ("〆", 2)] {
        let shares: Vec<f64> =
            demo("zh").iter().map(|text| compared(&behind(sign, every, text), Vec::new()).share()).collect();
        assert!(shares.iter().all(|share| *share < 0.6), "{sign}: {shares:.2?}");
    }
    let japanese = HONEST.iter().find(|(name, _)| *name == "Japanese").unwrap().1;
    assert!(compared(&japanese.repeat(20), Vec::new()).share() > 0.95);
}

#[test]
fn sentences_have_no_number_for_each_word_and_their_words_in_order() {
    let text = demo("en").join("\n");
    let share = |text: &str| compared(text, Vec::new()).share();
    assert!(share(&each_word(&text, |at, word| format!("{word} {}", at * 7 % 90))) < 0.6);
    let words: Vec<&str> = text.split_whitespace().collect();
    let columns = words.len().div_ceil(40);
    let down: String = (0..columns)
        .map(|row| words.iter().skip(row).step_by(columns).map(|word| format!("{word} ")).collect::<String>())
        .collect();
    assert!(share(&down) < 0.6);
    // Beside it: a report full of figures, and sentences in another order.
    assert!(
        share(&each_word(&text, |at, word| if at % 5 == 0 { format!("{word} {at}") } else { word.to_owned() })) > 0.95
    );
    let rows = |text: &str| {
        text.lines()
            .map(|line| format!("{line}\nEnergy\t12\t7\t4.1\t1999\nFlow\t5\t88\t1.2\t1998\n"))
            .collect::<String>()
    };
    let lines: String = text.split_inclusive(". ").map(|sentence| format!("{sentence}\n")).collect();
    assert!(share(&rows(&lines)) > 0.9);
    let mut sentences: Vec<&str> = text.split_inclusive(". ").collect();
    sentences.sort_unstable();
    assert!(share(&sentences.concat()) > 0.95);
}

#[test]
fn words_put_between_words_are_no_language_and_neither_are_clauses_that_end_in_the_middle() {
    let share = |text: &str| compared(text, Vec::new()).share();
    let text = demo("en").join("\n");
    let rare = ["harbour", "granite", "velvet", "orchard", "copper", "lantern", "meadow"];
    assert!(share(&each_word(&text, |_, word| format!("{word} NN"))) < 0.6);
    for sign in ["_IN", " [sic]", "/DT"] {
        assert_eq!(cause(&each_word(&text, |_, word| format!("{word}{sign}"))), Some(Cause::NoLanguage), "{sign}");
    }
    assert!(share(&each_word(&text, |at, word| format!("{word} {}", rare[at * 5 % 7]))) < 0.6);
    assert!(share(&each_word(&text, |at, word| format!("{} {} {word}", rare[at * 5 % 7], rare[at % 7]))) < 0.6);
    // Beside it: a gloss behind some words, and a text of columns and names.
    assert!(share(&each_word(&text, |at, word| format!("{word} {}", if at % 4 == 0 { "NN" } else { "" }))) > 0.95);
    let chinese = "他们/在/河边/修/了/一/座/堤坝，希望/把/潮水/挡/在/外面。可是/每/一/场/风暴/都/会/冲毁/它，人们/就/又/重新/开始，\
        从/山上/运/来/石头/和/泥土。";
    let own = ["又", "经济", "和", "发展", "这", "社会", "在", "研究", "从", "历史", "是", "文化", "就"];
    let mut at = 0;
    let mut mixed = |sentence: &str| {
        let word = |word: &str| {
            at += 1;
            let (letters, sign) = match word.chars().last() {
                Some(sign @ ('，' | '。')) => (word.trim_end_matches(sign), sign.to_string()),
                _ => (word, String::new()),
            };
            format!("{letters}{}{sign}", own[at % own.len()])
        };
        sentence
            .replace('，', "，/")
            .replace('。', "。/")
            .split('/')
            .filter(|word| !word.is_empty())
            .map(word)
            .collect::<String>()
    };
    let (honest, mixed) = (chinese.replace('/', "").repeat(20), mixed(&chinese.repeat(20)));
    assert!(share(&honest) > 0.95 && share(&mixed) < 0.6, "{} {}", share(&honest), share(&mixed));
}

proptest::proptest! {
    #[test]
    fn whatever_a_text_and_its_marks_are_the_counts_add_up(
        parts in proptest::collection::vec("[a-z]{1,9} |[潮水中国的之]{1,6}|[0-9]{1,4} |[а-яəɪ=;{}]{1,5} |\\PC{0,4}|\n", 0..200),
        marks in proptest::collection::vec((0usize..6, 0u32..400, 0u32..400), 0..6),
    ) {
        let kinds = [MarkKind::Code, MarkKind::White, MarkKind::TextPicture, MarkKind::Unmapped(9), MarkKind::Formula, MarkKind::Page(1)];
        let text = parts.concat();
        let end = text.chars().count() as u32;
        let mark = |(kind, start, length): (usize, u32, u32)| {
            let start = start.min(end);
            Mark { kind: kinds[kind], start, end: (start + length).min(end) }
        };
        let found = compared(&text, marks.into_iter().map(mark).collect());
        assert_eq!(found.seen, found.compared + found.by_cause().values().sum::<u32>());
        assert!(found.spans.iter().all(|span| span.start <= span.end && span.end <= end && span.count > 0));
    }
}

#[test]
fn what_was_found_in_other_texts_was_compared_whatever_it_looks_like() {
    let span = |start, end, count| NotCompared { start, end, cause: Cause::NoLanguage, count };
    let pages = NotCompared { start: 900, end: 900, cause: Cause::PicturesWithText, count: 50 };
    let spoilt = Compared {
        seen: 1000,
        compared: 650,
        spans: vec![span(0, 200, 100), span(300, 700, 200), pages.clone()],
        unknown: 0,
    };
    assert_eq!(spoilt.clone().but(&[]), spoilt);
    let found = spoilt.clone().but(&[0..250, 400..500]);
    assert_eq!(
        found,
        Compared { seen: 1000, compared: 800, spans: vec![span(300, 700, 150), pages.clone()], unknown: 0 }
    );
    assert_eq!(
        spoilt.but(&[0..500, 500..1000]),
        Compared { seen: 1000, compared: 950, spans: vec![pages], unknown: 0 }
    );
}

#[test]
fn the_language_of_honest_prose_is_told_by_its_code() {
    let codes = [
        ("German", "de"),
        ("English", "en"),
        ("Spanish", "es"),
        ("French", "fr"),
        ("Italian", "it"),
        ("Polish", "pl"),
        ("Portuguese", "pt"),
        ("Russian", "ru"),
        ("Chinese", "zh"),
        ("traditional Chinese", "zh"),
        ("Japanese", "ja"),
        ("Korean", "ko"),
    ];
    let told = HONEST.iter().filter_map(|(name, text)| {
        let (_, code) = codes.iter().find(|(language, _)| language == name)?;
        Some((*name, language_of(text), Some(*code)))
    });
    let told: Vec<_> = told.collect();
    assert!(told.len() >= 10 && told.iter().all(|(_, found, code)| found == code), "{told:?}");
    assert!(codes.iter().all(|(_, code)| languages_told().any(|told| told == *code)));
    for (text, language) in
        [("Home | News", None), (&"สวัสดีครับ ".repeat(30), Some("und")), (&"qxj wvk zzt ".repeat(30), Some("und"))]
    {
        assert_eq!(language_of(text), language, "{text}");
    }
}

/// A few sentences in languages whose scripts have no table, or few signs that others have.
const FAR: [(&str, &str); 14] = [
    (
        "Thai",
        "ทุกครั้งที่น้ำขึ้น โคลนบางชั้นหนึ่งจะตกค้างอยู่ระหว่างลำต้นของพืช และพื้นดินก็สูงขึ้นพร้อมกับทะเล หากสร้างเขื่อนไว้ข้างหน้า ภายในไม่กี่สิบปี \
        ร่องน้ำจะกว้างขึ้นเป็นสองเท่าและต้นไม้จะจมน้ำ วิทยานิพนธ์นี้ถามว่าน้ำซึมจากทุ่งนาด้านหลังมากเท่าใด และเหตุใดจึงยังไม่มีใครวัดมาก่อน",
    ),
    (
        "Lao",
        "ທຸກຄັ້ງທີ່ນ້ຳຂຶ້ນ ຂີ້ຕົມບາງໆຈະຄ້າງຢູ່ລະຫວ່າງລຳຕົ້ນຂອງພືດ ແລະພື້ນດິນກໍສູງຂຶ້ນພ້ອມກັບທະເລ. ຖ້າສ້າງເຂື່ອນຢູ່ຂ້າງໜ້າ ພາຍໃນບໍ່ເທົ່າໃດສິບປີ ຮ່ອງນ້ຳຈະກວ້າງຂຶ້ນສອງເທົ່າ.",
    ),
    (
        "Hindi",
        "हर ज्वार के साथ पौधों के तनों के बीच कीचड़ की एक पतली परत रह जाती है और ज़मीन समुद्र के साथ ऊपर उठती है। यदि उसके सामने बाँध बनाया जाए तो कुछ \
        दशकों में नहरें दुगुनी चौड़ी हो जाती हैं और पौधे डूब जाते हैं। यह शोध पूछता है कि पीछे के खेतों से कितना पानी रिसता है और अब तक किसी ने उसे क्यों नहीं नापा।",
    ),
    (
        "Bengali",
        "প্রতিটি জোয়ারের সঙ্গে গাছের কাণ্ডের মাঝে কাদার একটি পাতলা স্তর থেকে যায় এবং মাটি সমুদ্রের সঙ্গে উঁচু হয়। তার সামনে বাঁধ দিলে কয়েক দশকের মধ্যে খালগুলি দ্বিগুণ \
        চওড়া হয়ে যায় এবং গাছপালা ডুবে যায়। এই গবেষণা জানতে চায় পিছনের মাঠ থেকে কত জল চুঁইয়ে আসে।",
    ),
    (
        "Tamil",
        "ஒவ்வொரு அலையும் செடிகளின் தண்டுகளுக்கு இடையே ஒரு மெல்லிய சேற்றுப் படலத்தை விட்டுச் செல்கிறது, நிலம் கடலுடன் சேர்ந்து உயர்கிறது. அதன் முன்னால் அணை கட்டினால் சில \
        பத்தாண்டுகளில் கால்வாய்கள் இருமடங்கு அகலமாகி செடிகள் மூழ்கிவிடும். பின்னால் உள்ள வயல்களிலிருந்து எவ்வளவு நீர் கசிகிறது என்று இந்த ஆய்வு கேட்கிறது.",
    ),
    (
        "Khmer",
        "រាល់ពេលទឹកឡើង ភក់ស្តើងមួយស្រទាប់នៅសល់រវាងដើមរុក្ខជាតិ ហើយដីក៏ខ្ពស់ឡើងជាមួយសមុទ្រ។ បើគេសង់ទំនប់នៅខាងមុខ ក្នុងរយៈពេលប៉ុន្មានទសវត្សរ៍ ប្រឡាយនឹងធំទ្វេដង ហើយរុក្ខជាតិនឹងលិចទឹក។",
    ),
    (
        "Burmese",
        "ရေတက်တိုင်း အပင်များ၏ ပင်စည်ကြားတွင် ရွှံ့အလွှာပါးတစ်ခု ကျန်ရစ်ပြီး မြေပြင်သည် ပင်လယ်နှင့်အတူ မြင့်တက်လာသည်။ ရှေ့တွင် ဆည်ဆောက်လျှင် ဆယ်စုနှစ်အနည်းငယ်အတွင်း ရေလမ်းများ နှစ်ဆကျယ်လာပြီး အပင်များ ရေမြုပ်သည်။",
    ),
    (
        "Korean",
        "밀물이 들 때마다 식물의 줄기 사이에 얇은 진흙층이 남고 땅은 바다와 함께 높아진다. 그 앞에 둑을 쌓으면 수십 년 안에 물길의 너비가 두 배가 되고 식물은 물에 잠긴다. 이 논문은 \
        뒤쪽 밭에서 얼마나 많은 물이 스며 나오는지, 그리고 왜 지금까지 아무도 그것을 재지 않았는지를 묻는다.",
    ),
    (
        "Amharic",
        "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው። የተፈጥሮ ማስተዋልና ሕሊና ስላለው አንዱ ሌላውን በወንድማማችነት መንፈስ መመልከት ይገባዋል። እያንዳንዱ ሰው የዘር የቀለም የጾታ የቋንቋ የሃይማኖት \
        የፖለቲካ ወይም የሌላ ዓይነት አስተሳሰብ ልዩነት ሳይኖር በዚህ መግለጫ ውስጥ የተዘረዘሩት መብቶችና ነጻነቶች ሁሉ እንዲከበሩለት ይገባል።",
    ),
    (
        "Japanese in kana",
        "しおがみちるたびに、しょくぶつのくきのあいだにうすいどろのそうがのこり、じめんはうみとともにたかくなっていく。そのまえにていぼうをきずくと、すうじゅうねんのうちに\
        すいろのはばはにばいになり、しょくぶつはおぼれてしまう。このろんぶんでは、うしろのはたけからどれだけのみずがしみだしているのかをとう。",
    ),
    (
        "Georgian",
        "ყოველი მოქცევა მცენარეთა ღეროებს შორის ლამის თხელ ფენას ტოვებს და ნიადაგი ზღვასთან ერთად მაღლდება. თუ მის წინ ჯებირს ააგებენ, რამდენიმე ათწლეულში არხები ორჯერ განიერი ხდება და \
        მცენარეები იღუპება. ეს ნაშრომი კითხულობს, რამდენი წყალი ჟონავს უკანა მინდვრებიდან.",
    ),
    (
        "Armenian",
        "Յուրաքանչյուր մակընթացություն բույսերի ցողունների միջև տիղմի բարակ շերտ է թողնում, և հողը բարձրանում է ծովի հետ միասին։ Եթե դրա առջև ամբարտակ կառուցեն, մի քանի տասնամյակում \
        ջրանցքները երկու անգամ լայնանում են, և բույսերը խեղդվում են։ Այս աշխատանքը հարցնում է, թե որքան ջուր է ծորում դաշտերից։",
    ),
    (
        "Hebrew",
        "בכל גאות נשארת שכבה דקה של בוץ בין גבעולי הצמחים, והקרקע עולה יחד עם הים. אם בונים לפניה סכר, בתוך כמה עשורים התעלות מתרחבות פי שניים והצמחים טובעים. עבודה זו שואלת כמה מים \
        מחלחלים מן השדות שמאחור ומדוע איש לא מדד זאת עד היום.",
    ),
    (
        "Arabic",
        "مع كل مد تبقى طبقة رقيقة من الطين بين سيقان النباتات، وترتفع الأرض مع البحر. وإذا بني أمامها سد فإن القنوات تتسع إلى الضعف خلال بضعة عقود وتغرق النباتات. يسأل هذا البحث عن كمية \
        المياه التي تتسرب من الحقول وعن السبب في أن أحدا لم يقسها حتى الآن.",
    ),
];

#[test]
fn honest_prose_in_any_script_is_compared_as_language() {
    for (language, text) in FAR {
        let compared = compared(&text.repeat(3), Vec::new());
        assert!(compared.share() >= 0.95, "{language}: {:?}", compared.by_cause());
        assert!(2 * compared.unknown <= compared.seen, "{language}");
    }
}

#[test]
fn english_in_letters_of_another_script_is_no_language_whatever_script_it_is() {
    let text = demo("en").concat().to_lowercase();
    for first in [
        0x6d2, 0x712, 0x780, 0x905, 0x985, 0xb85, 0xd85, 0xe01, 0xe81, 0xf40, 0x1000, 0x101b, 0x1200, 0x1401, 0x1780,
        0x1820, 0x2d30, 0x3041, 0x30a1, 0x3105, 0x3131, 0x4e00, 0xa000, 0xa500, 0xac00, 0x12000, 0x13000,
    ] {
        let letter = |c: char| if c.is_ascii_lowercase() { char::from_u32(first + c as u32 - 97).unwrap() } else { c };
        let found = compared(&text.chars().map(letter).collect::<String>(), Vec::new());
        assert!(found.share() < 0.2, "{first:x}: {:?} of {}", found.by_cause(), found.seen);
    }
}

#[test]
fn chinese_in_letters_of_another_script_is_no_language_whether_all_of_it_or_every_third_word_is() {
    let text = demo("zh").concat();
    let drawn = |first: u32, signs: u32, of_three: usize| {
        let letter = |(at, c): (usize, char)| match is_han(c) && at / 2 % 3 < of_three {
            true => char::from_u32(first + (c as u32).wrapping_mul(2_654_435_761) % signs).unwrap(),
            false => c,
        };
        compared(&text.chars().enumerate().map(letter).collect::<String>(), Vec::new())
    };
    assert!(drawn(0xac00, 11_172, 3).share() < 0.1, "{:?}", drawn(0xac00, 11_172, 3).by_cause());
    for (first, signs) in [(0xac00, 11_172), (0x627, 32), (0x430, 32), (0x561, 38)] {
        let found = drawn(first, signs, 1);
        assert!(found.share() < 0.75, "{first:x}: {:?} of {}", found.by_cause(), found.seen);
    }
}

#[test]
fn terms_of_any_script_in_chinese_are_compared_with_it() {
    let terms = ["приливы и отливы", "المد والجزر", "밀물과 썰물", "παλίρροια", "潮の満ち引き", "גאות ושפל"];
    let paragraphs = demo("zh").concat();
    let mut terms = terms.iter().cycle();
    let sentences = paragraphs.split_inclusive('。');
    let text: String = sentences.map(|sentence| format!("{sentence}（{}）", terms.next().unwrap())).collect();
    assert!(compared(&text, Vec::new()).share() >= 0.95, "{:?}", compared(&text, Vec::new()).by_cause());
}
