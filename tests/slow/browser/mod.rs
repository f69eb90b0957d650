//! The reports in a real browser.

pub mod accessibility;
pub mod driver;
mod printing;
mod reading;

use crate::program::{Bench, Csv, REFERENCE, SUBMISSIONS, check, copytrace};
use copytrace::messages::Language;
use copytrace::report::messages::Messages;
use driver::Browser;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const SUBMISSION: &str = "en-01-estuary-crossing.txt";

/// The reports on the demo, made once for all tests.
static DEMO: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo-report");
    let _ = std::fs::remove_dir_all(&folder);
    demo(&folder, &[]);
    folder
});

fn demo(folder: &Path, extra: &[&str]) {
    check(SUBMISSIONS, REFERENCE, folder).args(["--lang", "en"]).args(extra).assert().success();
}

fn page(submission: &str) -> PathBuf {
    DEMO.join(format!("{submission}.html"))
}

fn percent(ratio: &str) -> String {
    format!("{:.1}%", ratio.parse::<f64>().unwrap() * 100.0)
}

fn summary(folder: &Path, submission: &str) -> std::collections::BTreeMap<String, String> {
    let summary = Csv::read(&folder.join("summary.csv"));
    summary.rows().iter().find(|row| row["submission"] == submission).unwrap().clone()
}

fn figure(browser: &Browser, name: &str) -> (String, u64, u64) {
    let of = browser.text(&format!("[data-ratio={name}] .of")).replace(',', "");
    let numbers: Vec<u64> = of.split(' ').filter_map(|word| word.parse().ok()).collect();
    (browser.text(&format!("[data-ratio={name}] .value")), numbers[0], numbers[1])
}

#[test]
fn the_figures_of_the_first_screen_are_those_of_the_tables() {
    let browser = Browser::start();
    for row in Csv::read(&DEMO.join("summary.csv")).rows() {
        browser.open(&page(&row["submission"]));
        let (value, matched, characters) = figure(&browser, "all");
        assert_eq!(
            (matched.to_string(), characters.to_string()),
            (row["matched_characters"].clone(), row["characters"].clone())
        );
        assert_eq!(value, percent(&row["copy_ratio"]));
        for (name, column) in [
            ("without_quotes", "copy_ratio_without_quotes"),
            ("without_own_work", "copy_ratio_without_own_work"),
            ("largest_source", "top_source_ratio"),
            ("in_short_runs", "short_run_ratio"),
        ] {
            let (value, matched, characters) = figure(&browser, name);
            let ratio = if characters == 0 { 0.0 } else { matched as f64 / characters as f64 };
            assert_eq!(format!("{ratio:.4}"), row[column], "{name} of {}", row["submission"]);
            assert_eq!(value, percent(&ratio.to_string()));
        }
    }
}

#[test]
fn choosing_a_match_shows_the_two_passages_of_the_table() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    let passages = Csv::read(&DEMO.join("passages.csv"));
    let mut rows: Vec<_> = passages.rows().iter().filter(|row| row["submission"] == SUBMISSION).collect();
    rows.sort_by_key(|row| row["submission_start"].parse::<u32>().unwrap());
    for row in rows {
        browser.press("n");
        let plain = |text: String| text.trim_start_matches('\'').replace('\r', "");
        assert_eq!(browser.text("#ours"), plain(row["submission_text"].clone()));
        assert_eq!(browser.text("#theirs"), plain(row["source_text"].clone()));
        assert!(browser.text("#card").contains(&row["source"]));
        let marked = "return [...document.querySelectorAll('mark.chosen')].map((mark) => mark.textContent).join('')";
        let without_lines = |text: &str| text.replace('\n', "");
        assert_eq!(
            without_lines(browser.run(marked).as_str().unwrap()),
            without_lines(&plain(row["submission_text"].clone()))
        );
    }
    browser.picture("side-by-side-1280.png");
}

#[test]
fn switching_a_source_off_gives_the_ratio_that_the_library_computes_without_it() {
    let sources = Csv::read(&DEMO.join("sources.csv"));
    let source = sources.rows().iter().find(|row| row["submission"] == SUBMISSION).unwrap()["source"].clone();
    let without = Bench::new();
    demo(without.folder(), &["--exclude", &source, "--format", "csv"]);
    let expected = summary(without.folder(), SUBMISSION);

    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    browser.run(&format!(
        "for (const row of document.querySelectorAll('[data-source]'))
           if (row.textContent.includes({source:?})) row.querySelector('input').click()"
    ));
    let (value, matched, _) = figure(&browser, "all");
    assert_eq!(
        (value, matched.to_string()),
        (percent(&expected["copy_ratio"]), expected["matched_characters"].clone())
    );
    // Not of the table's ratio, whose four decimals would be rounded a second time.
    let rows = Csv::read(&without.path("sources.csv"));
    let of_submission = rows.rows().iter().filter(|row| row["submission"] == SUBMISSION);
    let largest = of_submission.map(|row| row["matched_characters"].parse::<f64>().unwrap()).fold(0.0, f64::max);
    let ratio = largest / expected["characters"].parse::<f64>().unwrap();
    assert_eq!(figure(&browser, "largest_source").0, percent(&ratio.to_string()));
    let chapters = Csv::read(&without.path("chapters.csv"));
    let of_submission = chapters.rows().iter().filter(|row| row["submission"] == SUBMISSION);
    let expected: Vec<String> = of_submission.map(|row| percent(&row["copy_ratio"])).collect();
    let shares = browser.run(
        "return [...document.querySelectorAll('#chapters [data-chapter] .share')].map((share) => share.textContent)",
    );
    assert_eq!(shares, serde_json::json!(expected));
    assert!(browser.text("#left-out").contains("sources: 1"));
    let strip = "return document.querySelectorAll('.strip rect.no_attribution').length";
    let before = browser.run(strip).as_u64().unwrap();
    assert!(before > 0);

    browser.run("for (const box of document.querySelectorAll('[data-status]')) box.click()");
    assert_eq!(figure(&browser, "all").1, 0);
    assert_eq!(browser.run(strip), 0, "the strip follows what is switched off");
}

#[test]
fn passages_are_walked_by_the_keyboard() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    let position = || browser.text("#position");
    assert_eq!(position(), "0 / 4");
    for (key, expected) in
        [("n", "1 / 4"), ("\u{e014}", "2 / 4"), ("p", "1 / 4"), ("\u{e012}", "4 / 4"), ("n", "1 / 4")]
    {
        browser.press(key);
        assert_eq!(position(), expected, "after {key:?}");
    }
    browser.press("\u{e00c}");
    assert_eq!(position(), "0 / 4");
    assert_eq!(browser.run("return document.getElementById('compare').hidden"), Value::Bool(true));
    browser.press("\u{e004}");
    assert_eq!(browser.run("return document.activeElement.className"), "skip");
}

#[test]
fn the_batch_is_searched_sorted_and_split_at_a_threshold() {
    let browser = Browser::start();
    browser.open(&DEMO.join("index.html"));
    browser.picture("batch-1280.png");
    let names = "return [...document.querySelectorAll('#table tbody tr')].filter((row) => !row.hidden)
                   .map((row) => row.cells[0].textContent).join(' ')";
    browser.run("const field = document.getElementById('search'); field.value = 'KITE'; field.dispatchEvent(new Event('input'))");
    assert_eq!(browser.run(names), "zh-03-kite-weather.txt");
    browser.run(
        "const field = document.getElementById('search'); field.value = ''; field.dispatchEvent(new Event('input'))",
    );
    let highest = "zh-04-order-of-waiting.txt";
    assert!(browser.run(names).as_str().unwrap().starts_with(highest), "by ratio at first");
    browser.click("#table th.n button");
    assert!(browser.run(names).as_str().unwrap().ends_with(highest));

    let above = Csv::read(&DEMO.join("summary.csv"));
    let above = above.rows().iter().filter(|row| row["copy_ratio"].parse::<f64>().unwrap() >= 0.4).count();
    browser.run("const field = document.getElementById('threshold'); field.value = '40'; field.dispatchEvent(new Event('input'))");
    assert!(browser.text("#above").starts_with(&format!("{above} of 8")), "{}", browser.text("#above"));
    assert_eq!(browser.run("return document.querySelectorAll('tr.above').length"), above);
}

#[test]
fn the_batch_page_shows_who_shares_text_with_whom() {
    let bench = Bench::new();
    let output = bench.path("out");
    let own = |number: usize| (0..60).map(|at| format!("word{number}n{at} ")).collect::<String>();
    let common = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day, and every spring \
                  the reeds grow out of last year's mud";
    for (name, text) in [("a", own(1) + common), ("b", own(2) + common + &own(3)), ("c", own(4))] {
        bench.write(format!("s/{name}.txt"), text);
    }
    check(bench.path("s"), REFERENCE, &output).args(["--lang", "en"]).assert().success();
    let shared = Csv::read(&output.join("shared.csv"));
    let row = &shared.rows()[0];

    let browser = Browser::start();
    browser.open(&output.join("index.html"));
    let cells = "return [...document.querySelectorAll('#shared tbody td')].map((cell) => cell.textContent).join('|')";
    let expected = [
        row["first"].clone(),
        percent(&row["ratio_first"]),
        row["second"].clone(),
        percent(&row["ratio_second"]),
        "Compare".to_owned(),
        "1".to_owned(),
        row["longest"].clone(),
        percent(&row["similarity"]),
        "0".to_owned(),
    ];
    assert_eq!(browser.run(cells), expected.join("|"));
    let pieces = "return ['circle', 'line'].map((name) => document.querySelectorAll(`.graph ${name}`).length)";
    assert_eq!(browser.run(pieces), serde_json::json!([2, 1]));
    assert_eq!(accessibility::violations(&browser), Vec::<String>::new());
    browser.run("document.getElementById('shared').scrollIntoView()");
    browser.picture("shared-1280.png");
    browser.run("document.querySelector('.graph line').dispatchEvent(new MouseEvent('click'))");
    assert!(browser.run("return location.href").as_str().unwrap().ends_with("/pair-001.html"));
    browser.open(&output.join("index.html"));
    let slide = |share: u32| {
        browser.run(&format!("const field = document.getElementById('least'); field.value = {share}; field.dispatchEvent(new Event('input'))"));
        browser.run("return document.querySelectorAll('.graph line').length + document.querySelectorAll('#shared tbody tr:not([hidden])').length")
    };
    let share = (row["ratio_first"].parse::<f64>().unwrap() * 100.0) as u32;
    assert_eq!((slide(share), browser.text("#groups").contains("share less")), (2.into(), false));
    assert_eq!((slide(share + 1), browser.text("#groups").contains("share less")), (0.into(), true));
    browser.click("#shared tbody a");
    assert_eq!(browser.run("return document.querySelector('h1').textContent"), "a.txt");

    browser.open(&output.join("pair-001.html"));
    assert_eq!(accessibility::violations(&browser), Vec::<String>::new());
    browser.press("n");
    browser.picture("pair-1280.png");
    let chosen = "return [...document.querySelectorAll('.whole')].map((side) => [...side.querySelectorAll('mark.chosen')].map((mark) => mark.textContent).join('').trim())";
    let sides = browser.run(chosen);
    assert!(sides[0].as_str().unwrap().contains("the grey tide leaves") && sides[0] == sides[1], "{sides}");
    assert_eq!(browser.run("return location.hash"), "#p=1");
    browser.click(".back a");
    assert_eq!(browser.run("return document.querySelector('h1').textContent"), "3 submissions");
}

#[test]
fn more_than_forty_submissions_that_share_text_are_drawn_as_a_heat_map() {
    let bench = Bench::new();
    let common = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day, and every spring \
                  the reeds grow out of last year's mud";
    for number in 0..42 {
        let own: String = (0..40).map(|at| format!("word{number}n{at} ")).collect();
        bench.write(format!("s/{number:02}.txt"), format!("{own}{common}"));
    }
    let output = bench.path("out");
    copytrace().arg("check").arg(bench.path("s")).args(["--lang", "en", "-o"]).arg(&output).assert().success();
    let browser = Browser::start();
    browser.open(&output.join("index.html"));
    let shared = Csv::read(&output.join("shared.csv"));
    let drawn = shared.rows().iter().filter(|row| row["group"] != "0").count() * 2;
    assert!(drawn > 1600);
    assert_eq!(browser.run("return document.querySelectorAll('.heat .cell').length"), drawn);
    assert_eq!(browser.run("return document.querySelectorAll('.graph circle').length"), 0);
}

#[test]
fn what_is_chosen_and_what_is_off_stands_in_the_address_and_outlives_a_reload() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    browser.press("n");
    browser.press("n");
    browser.run("document.querySelector('[data-source=\"3\"] input').click()");
    browser.run(
        "const field = document.getElementById('shortest'); field.value = 300; field.dispatchEvent(new Event('input'))",
    );
    let state = browser.run("return location.hash");
    assert_eq!(state, "#p=2&off=4&min=300");
    let figures = figure(&browser, "all");
    browser.run("location.reload()");
    assert_eq!(browser.run("return location.hash"), state);
    assert_eq!(figure(&browser, "all"), figures);
    assert_eq!(browser.text("#position"), "2 / 3");
    assert_eq!(browser.run("return document.querySelector('[data-source=\"3\"] input').checked"), Value::Bool(false));
    browser.click("#left-out button");
    assert_eq!(browser.run("return location.hash"), "#p=2");
}

#[test]
fn matches_shorter_than_the_slider_do_not_count() {
    let passages = Csv::read(&DEMO.join("passages.csv"));
    let of_submission =
        passages.rows().iter().filter(|row| row["submission"] == SUBMISSION && row["excluded"].is_empty());
    let countable = |row: &std::collections::BTreeMap<String, String>| {
        row["submission_text"].chars().filter(|c| c.is_alphanumeric()).count() as u64
    };
    let lengths: Vec<u64> = of_submission.map(countable).collect();
    let least = *lengths.iter().max().unwrap();
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    browser.run(&format!("const field = document.getElementById('shortest'); field.value = {least}; field.dispatchEvent(new Event('input'))"));
    assert_eq!(figure(&browser, "all").1, least);
    assert!(browser.text("#left-out").contains(&least.to_string()));
}

#[test]
fn a_flag_leads_to_its_place_and_invisible_characters_can_be_shown() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    browser.click("[data-places]");
    let top =
        browser.run("return document.querySelector('.flag.chosen').getBoundingClientRect().top").as_f64().unwrap();
    assert!((0.0..900.0).contains(&top), "{top}");
    let shown = "return getComputedStyle(document.querySelector('.unseen'), '::before').content";
    assert_eq!(browser.run(shown), "none");
    browser.click("#reveal");
    assert_eq!(browser.run(shown), "\"▯\"");
}

#[test]
fn moved_words_and_the_parts_of_a_reordered_passage_have_a_look_of_their_own() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    let rows = Csv::read(&DEMO.join("passages.csv"));
    let mut of_submission: Vec<_> = rows.rows().iter().filter(|row| row["submission"] == SUBMISSION).collect();
    of_submission.sort_by_key(|row| row["submission_start"].parse::<u32>().unwrap());
    let reordered = of_submission.iter().position(|row| row["kind"] == "reordered").unwrap();
    (0..=reordered).for_each(|_| browser.press("n"));
    let counts = "return ['#ours', '#theirs'].flatMap((side) => ['.moved', '.part'].map((look) => document.querySelectorAll(`${side} ${look}`).length))";
    let counts: Vec<u64> = browser.run(counts).as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(counts[0] > 0 && counts[2] > 0 && counts[1] > 1 && counts[1] == counts[3], "{counts:?}");
    assert_eq!(
        browser.run("return document.querySelectorAll('#ours .moved, #ours del').length > 0"),
        Value::Bool(true)
    );
}

#[test]
fn a_text_without_a_match_says_so_in_one_sentence_and_shows_no_empty_list() {
    let browser = Browser::start();
    browser.open(&page("en-02-piano-rounds.txt"));
    assert!(browser.text(".notice").contains("No passage of this text was found"));
    assert_eq!(browser.run("return document.querySelectorAll('#sources, #position, .strip').length"), 0);
    browser.click(".back a");
    assert_eq!(browser.run("return document.querySelector('h1').textContent"), "8 submissions");
}

#[test]
fn matches_that_are_too_thin_to_count_stand_apart_and_can_be_looked_at() {
    let bench = Bench::new();
    demo(&bench.path("report"), &["--format", "json"]);
    let json = std::fs::read_to_string(bench.path(format!("report/{SUBMISSION}.json"))).unwrap();
    let mut report: copytrace::check::Report = serde_json::from_str(&json).unwrap();
    report.weak = std::mem::take(&mut report.passages);
    report.segments.iter_mut().for_each(|segment| segment.matched = false);
    report.ratios.all.matched = 0;
    let words = Messages::of(Language::ENGLISH);
    let path = bench.write("weak.html", report.to_html(words).unwrap());
    let browser = Browser::start();
    browser.open(&path);
    assert_eq!(figure(&browser, "all").1, 0);
    browser.run("document.getElementById('weak').open = true");
    browser.click("[data-weak]");
    assert!(browser.text("#why").contains("Too little evidence to count"));
    assert!(!browser.text("#theirs").is_empty());
    assert_eq!(browser.run("return location.hash"), "#w=1");
}

#[test]
fn the_text_starts_on_the_first_screen_of_a_laptop() {
    let browser = Browser::start();
    browser.size(1366, 650);
    browser.open(&page(SUBMISSION));
    browser.picture("laptop-1366.png");
    let top = browser.run("return document.querySelector('article').getBoundingClientRect().top").as_f64().unwrap();
    assert!(top < 330.0, "{top}");
    let sources = browser.run("return document.querySelector('#sources li').getBoundingClientRect()");
    assert!(sources["top"].as_f64().unwrap() < 330.0 && sources["left"].as_f64().unwrap() > 683.0, "{sources}");
}

#[test]
fn the_heights_of_the_histogram_are_linear_or_logarithmic() {
    let browser = Browser::start();
    browser.open(&DEMO.join("index.html"));
    let heights = || -> Vec<f64> {
        let heights = browser.run(
            "return [...document.querySelectorAll('#histogram rect')].map((bar) => Number(bar.getAttribute('height')))",
        );
        heights.as_array().unwrap().iter().filter_map(Value::as_f64).filter(|height| *height > 0.0).collect()
    };
    let mut counts = std::collections::BTreeMap::new();
    for row in Csv::read(&DEMO.join("summary.csv")).rows() {
        *counts.entry((row["copy_ratio"].parse::<f64>().unwrap() * 20.0) as usize).or_insert(0.0) += 1.0;
    }
    let counts: Vec<f64> = counts.into_values().collect();
    let most = counts.iter().copied().fold(0.0, f64::max);
    let near = |drawn: Vec<f64>, expected: Vec<f64>| {
        assert_eq!(drawn.len(), expected.len());
        assert!(drawn.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{drawn:?} {expected:?}");
    };
    near(heights(), counts.iter().map(|count| count / most * 105.0).collect());
    browser.click("#logarithmic");
    near(heights(), counts.iter().map(|count| (count + 1.0).ln() / (most + 1.0).ln() * 105.0).collect());
}

#[test]
fn nothing_is_complained_of_and_no_request_leaves_a_page() {
    let browser = Browser::start();
    for name in [SUBMISSION, "zh-04-order-of-waiting.txt", "index"] {
        browser.open(&page(name));
        browser.press("n");
        for (width, height) in [(1280, 900), (390, 844)] {
            browser.size(width, height);
            browser.picture(&format!("{name}-{width}.png"));
            let wider =
                browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(wider, 0, "{name} at {width}");
        }
        assert_eq!(browser.complaints(), Vec::<Value>::new(), "{name}");
        let requests = browser.requests();
        assert!(
            !requests.is_empty() && requests.iter().all(|url| url.starts_with("file://") && url.ends_with(".html")),
            "{requests:?}"
        );
    }
}

#[test]
fn the_pages_keep_the_rules_of_accessibility_in_light_and_dark() {
    let browser = Browser::start();
    for name in [SUBMISSION, "index"] {
        browser.open(&page(name));
        browser.press("n");
        assert_eq!(accessibility::violations(&browser), Vec::<String>::new(), "{name}");
    }
    browser.dark();
    for name in [SUBMISSION, "index"] {
        browser.open(&page(name));
        browser.press("n");
        browser.picture(&format!("{name}-dark.png"));
        assert_eq!(accessibility::violations(&browser), Vec::<String>::new(), "{name}, dark");
    }
}

#[test]
fn a_hostile_text_and_name_run_nothing() {
    let bench = Bench::new();
    let output = bench.path("out");
    let attack = "</script><script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\"> \
                  <!-- \" onload=\"document.title='run'\" \u{202e}reversed\u{202c} \u{1}\u{7f} ]]> &lt;b&gt; \
                  the grey tide leaves a thin layer of silt between the stems of the marsh twice a day";
    let submission = bench.write("<img src=x onerror=alert(1)>.txt", attack);
    let source = serde_json::json!({ "id": "javascript:alert(1)", "title": "<script>document.title='run'</script>", "text": attack });
    let corpus = bench.write("c.jsonl", source.to_string());
    check(submission, corpus, &output).assert().success();

    let browser = Browser::start();
    let pages: Vec<PathBuf> = std::fs::read_dir(&output)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "html"))
        .collect();
    assert_eq!(pages.len(), 2);
    for page in pages {
        browser.open(&page);
        browser.press("n");
        assert_ne!(browser.run("return document.title"), "run");
        assert_eq!(browser.run("return document.querySelectorAll('img').length"), 0);
        assert_eq!(browser.run("return document.scripts.length"), 2);
        assert_eq!(browser.run("return document.body.textContent.includes('\u{202e}')"), Value::Bool(false));
        assert_eq!(browser.complaints(), Vec::<Value>::new());
    }
}
