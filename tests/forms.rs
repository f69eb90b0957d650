//! What several theses have in front or at the end, signed or dated, is a form in any language; what was copied there is none.

use copytrace::check::{Checker, Collection, LibraryBuilder, Report, Rules};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::{Document, NotCounted};

/// Declarations in languages of which no file is built in, with places for a name and a date.
const DECLARATIONS: [&str; 4] = [
    "VAKUUTUS\n\nVakuutan kirjoittaneeni tämän opinnäytetyön itse ilman ulkopuolista apua. Kaikki lähteet, joita olen käyttänyt, on \
     mainittu tekstissä, eikä työtä ole aiemmin jätetty arvosteltavaksi missään muussa oppilaitoksessa.\n\n{place}, {date}.2021\n\n{name}",
    "ETİK BEYAN\n\nBu tezi bilimsel etik kurallarına uygun olarak hazırladığımı, yararlandığım bütün kaynakları gösterdiğimi ve başka \
     bir üniversitede sunulmuş bir çalışmadan alıntı yapmadığımı beyan ederim.\n\n{name}\n{place}, {date}.2021",
    "Verklaring\n\nOndergetekende bevestigt dat dit proefschrift door hem of haar zelf is geschreven, dat alle geraadpleegde bronnen \
     zijn vermeld en dat het werk niet eerder aan een andere instelling werd ingediend.\n\n{place}, {date} mei 2021\n\n{name}\n\n__________",
    "NYILATKOZAT\n\nAlulírott kijelentem, hogy ezt a dolgozatot meg nem engedett segítség nélkül, saját magam készítettem, és abban csak a \
     megadott forrásokat használtam fel. Minden olyan részt, amelyet más forrásból átvettem, megjelöltem.\n\n{place}, 2021. {date}.\n\n{name}",
];

const PEOPLE: [(&str, &str); 4] =
    [("Turku", "A. Kirjuri"), ("Izmir", "B. Yazman"), ("Gent", "C. Klerk"), ("Szeged", "D. Jegyző")];

fn declaration(text: &str, person: usize) -> String {
    let (place, name) = PEOPLE[person];
    text.replace("{place}", place).replace("{name}", name).replace("{date}", &(11 + person).to_string())
}

/// Prose of one author: words that no other one has.
fn body(author: usize) -> String {
    let sentence =
        |at: usize| (0..12).map(|word| format!("wort{author}x{} ", at * 12 + word)).collect::<String>() + ". ";
    let paragraph = |at: usize| (0..8).map(|line| sentence(at * 8 + line)).collect::<String>() + "\n\n";
    (0..14).map(paragraph).collect()
}

/// A thesis with a declaration in front or at the end.
fn with_declaration(text: &str, author: usize, at_end: bool) -> String {
    let (declaration, body) = (declaration(text, author), body(author));
    if at_end { format!("{body}\n\n{declaration}") } else { format!("{declaration}\n\n{body}") }
}

fn documents(texts: &[String]) -> Vec<Document> {
    let document =
        |(at, text): (usize, &String)| Document { id: format!("{at}"), text: text.clone(), ..Document::default() };
    texts.iter().enumerate().map(document).collect()
}

fn checker(library: &[String]) -> Checker {
    let settings = Settings::default();
    let mut builder = LibraryBuilder::new(&settings.sketch).unwrap();
    assert_eq!(builder.add(documents(library), &Job::default()).unwrap(), []);
    Checker::new(builder.finish().unwrap().into(), settings, Rules::default())
}

fn report(library: &[String], submission: &str) -> Report {
    let checker = checker(library);
    let submission = Document { id: "thesis".into(), text: submission.to_owned(), ..Document::default() };
    checker.check(submission, &Job::default()).unwrap().report()
}

#[test]
fn declarations_of_any_language_that_several_theses_hold_do_not_count() {
    for text in DECLARATIONS {
        for at_end in [false, true] {
            let thesis = |author: usize| with_declaration(text, author, at_end);
            let report = report(&[thesis(1), thesis(2), thesis(3)], &thesis(0));
            assert_eq!(report.ratios.all.matched, 0, "{text}: {:?}", report.passages);
            assert!(report.passages.iter().all(|passage| passage.excluded == Some(NotCounted::TitlePage)));
            assert!(
                !report.passages.is_empty() && report.excluded.iter().any(|part| part.reason == NotCounted::TitlePage)
            );
        }
    }
}

#[test]
fn what_one_work_has_in_front_was_copied_from_it_signed_or_not() {
    let foreword = "Förord\n\nDetta arbete började på en brygga en vinter då isen låg kvar till maj, och det hade aldrig blivit skrivet om inte \
        fyrvaktaren hade lånat ut sina liggare över vind och vatten från fyrtio år.";
    let signed =
        |author: usize| format!("{foreword}\n\n{}, {} maj 2021\n\n{}", PEOPLE[author].0, 11 + author, PEOPLE[author].1);
    let editions = |front: &str| (0..3).map(|at| format!("{front}\n\n{} edition{at}", body(9))).collect::<Vec<_>>();
    let with = |front: &str, author: usize| format!("{front}\n\n{}", body(author));
    let form = |author| declaration(DECLARATIONS[0], author);
    let long = |author: usize| {
        format!(
            "{}{}",
            (0..50).map(|at| format!("mening{at} handlar{at} om{at} vatten{at} och{at} is{at}. ")).collect::<String>(),
            signed(author)
        )
    };
    let middle = |author: usize| format!("{}{}\n\n{}", body(author), form(author), body(author + 20));
    let cases = [
        ("three editions of one book", editions(&signed(1)), with(&signed(0), 0)),
        ("one thesis", vec![with(&form(1), 1)], with(&form(0), 0)),
        (
            "an abstract that nobody signs",
            vec![with(foreword, 1), with(foreword, 2), with(foreword, 3)],
            with(foreword, 0),
        ),
        ("longer than forms are", vec![with(&long(1), 1), with(&long(2), 2), with(&long(3), 3)], with(&long(0), 0)),
        ("in the middle", vec![middle(1), middle(2), middle(3)], middle(0)),
    ];
    for (what, library, submission) in cases {
        let report = report(&library, &submission);
        assert!(report.ratios.all.matched > 100, "{what}: {:?}", report.passages);
    }
}

/// The letters that theses share with each other, checked against a library that has nothing of them.
fn shared(theses: &[String]) -> u64 {
    let checker = checker(&[body(50)]);
    let mut collection = Collection::new(&checker, true).unwrap();
    let read = documents(theses).into_iter().map(Ok).collect();
    collection.check(read, &Job::default(), |report| assert!(report.is_ok())).unwrap();
    let shared = collection.shared(&Job::default()).unwrap().unwrap();
    shared.pairs.iter().map(|pair| pair.characters_first.min(pair.characters_second)).sum()
}

#[test]
fn declarations_that_several_submissions_hold_are_not_shared_text_whatever_the_library_holds() {
    for text in DECLARATIONS {
        for at_end in [false, true] {
            let thesis = |author: usize| with_declaration(text, author, at_end);
            let theses: Vec<String> = (0..4).map(thesis).collect();
            assert_eq!(shared(&theses), 0, "{text}");
            assert!(shared(&theses[..2]) > 100, "two are no several: {text}");
        }
    }
}

#[test]
fn what_submissions_copied_from_each_other_is_shared_though_a_date_stands_below_it() {
    let form = |author: usize| declaration(DECLARATIONS[0], author);
    let signed = |text: &str, author: usize| format!("{text}\n\n{}", form(author));
    // One text that three handed in, a short one with the form, and one in which the form stands in the middle.
    let one = (0..3).map(|author| signed(&body(9), author)).collect::<Vec<_>>();
    let short = (0..4).map(|author| signed(&body(author)[..600], author)).collect::<Vec<_>>();
    let middle = (0..4).map(|author| format!("{}\n\n{}", signed(&body(author), author), body(author + 20)));
    for (what, theses) in [("one text", one), ("short", short), ("in the middle", middle.collect())] {
        assert!(shared(&theses) > 100, "{what}");
    }
}
