//! What a person reads on the page of a submission: text, sources, settings, and what is said of them.

use super::driver::Browser;
use super::{SUBMISSION, page};
use crate::program::{Bench, Csv, check};
use serde_json::{Value, json};

const PASSAGE: &str = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day, and every \
                       spring the reeds grow out of last year's mud";

/// Words that no other number has.
fn own(number: usize) -> String {
    let letters = |n: usize| format!("{}{}", (b'a' + (n / 26) as u8) as char, (b'a' + (n % 26) as u8) as char);
    (0..60).map(|at| format!("word{}x{} ", letters(number), letters(at))).collect()
}

#[test]
fn a_mark_has_the_number_and_the_colour_of_its_source_whose_name_and_share_come_up_over_it() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    let sources = Csv::read(&super::DEMO.join("sources.csv"));
    let rows: Vec<_> = sources.rows().iter().filter(|row| row["submission"] == SUBMISSION).collect();
    assert_eq!(rows.len(), 4);
    let characters: f64 = super::summary(&super::DEMO, SUBMISSION)["characters"].parse().unwrap();
    for (at, row) in rows.iter().enumerate() {
        let seen = browser.run(&format!(
            "const row = document.querySelector('[data-source=\"{at}\"]');
             const mark = document.querySelector('article mark[data-n=\"{}\"]');
             mark.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}));
             const colour = (element) => getComputedStyle(element).backgroundColor;
             return [row.querySelector('.chip').textContent, row.querySelector('.name').textContent, mark.title,
                     colour(row.querySelector('.chip')) === colour(mark),
                     getComputedStyle(mark, '::before').content];",
            at + 1
        ));
        // Not of the table's ratio, whose four decimals would be rounded a second time.
        let matched: f64 = row["matched_characters"].parse().unwrap();
        let (number, share) = ((at + 1).to_string(), super::percent(&(matched / characters).to_string()));
        let title = format!("{number} · {} · {share}", row["source"]);
        assert_eq!(seen, json!([number, row["source"], title, true, format!("\"{number}\"")]));
    }
}

#[test]
fn settings_stand_closed_at_the_end_and_nothing_is_listed_twice() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    let about = browser.run(
        "const about = document.getElementById('about');
         const after = (element) => Boolean(document.querySelector('article').compareDocumentPosition(element) & 4);
         return [about.open, after(about), ['seed', 'evidence', 'threshold'].every((word) => about.textContent.includes(word))]",
    );
    assert_eq!(about, json!([false, true, true]));
    // A source is named in the list of sources and nowhere else, until a passage is chosen.
    let named = browser.run(
        "const name = document.querySelector('#sources .name').textContent;
         return [...document.querySelectorAll('body :not(script)')].filter((element) => element.childElementCount === 0
             && element.textContent === name && element.closest('[hidden]') === null).length",
    );
    assert_eq!(named, 1);
    let lists = "return [...document.querySelectorAll('h2')].map((heading) => heading.textContent).sort()";
    let headings = browser.run(lists);
    let mut once = headings.as_array().unwrap().clone();
    once.dedup();
    assert_eq!(headings, Value::Array(once));
}

#[test]
fn each_block_is_written_in_the_direction_of_its_own_script() {
    let bench = Bench::new();
    let arabic = "يترك المد الرمادي طبقة رقيقة من الطمي بين سيقان النباتات مرتين في اليوم وفي كل ربيع تنمو من جديد";
    bench.write("thesis.txt", format!("{arabic}\n{PASSAGE}\n"));
    bench.write("corpus/source.txt", format!("{arabic}. {}", own(1)));
    check(bench.path("thesis.txt"), bench.path("corpus"), bench.path("out")).args(["--lang", "en"]).assert().success();
    let browser = Browser::start();
    browser.open(&bench.path("out/thesis.txt.html"));
    browser.press("n");
    let directions = browser.run(
        "const written = (element) => getComputedStyle(element).direction;
         return [...document.querySelectorAll('article p')].slice(0, 2).map(written).concat(written(document.getElementById('ours')), written(document.body))",
    );
    assert_eq!(directions, json!(["rtl", "ltr", "rtl", "ltr"]));
}

#[test]
fn headings_look_like_headings_and_lines_of_the_text_do_not() {
    let browser = Browser::start();
    browser.open(&page(SUBMISSION));
    let heavy = browser.run(
        "return [...document.querySelectorAll('article p')].filter((line) => Number(getComputedStyle(line).fontWeight) > 600).map((line) => line.textContent.trim())",
    );
    let chapters = Csv::read(&super::DEMO.join("chapters.csv"));
    let of_submission =
        chapters.rows().iter().filter(|row| row["submission"] == SUBMISSION && !row["chapter"].is_empty());
    let expected: Vec<String> = of_submission.map(|row| row["chapter"].clone()).collect();
    assert!(expected.len() > 3);
    assert_eq!(heavy, json!(expected));
}

#[test]
fn what_does_not_count_says_why() {
    let bench = Bench::new();
    bench.write("thesis.txt", format!("{}\n\n{PASSAGE}.\n", own(1)));
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    bench.write("form.txt", PASSAGE);
    let mut command = check(bench.path("thesis.txt"), bench.path("corpus"), bench.path("out"));
    command.args(["--lang", "zh", "--exclude-template"]).arg(bench.path("form.txt")).assert().success();
    let browser = Browser::start();
    browser.open(&bench.path("out/thesis.txt.html"));
    assert_eq!(super::figure(&browser, "all").1, 0);
    browser.press("n");
    let told = browser.text("#why");
    assert!(told.contains("不计入，属模板") && !told.contains("引用情况"), "{told}");
}

#[test]
fn a_long_line_without_blanks_never_makes_a_narrow_page_wider_than_the_screen() {
    let bench = Bench::new();
    let contents = format!("1 Introduction{}7\n\n", ".".repeat(400));
    bench.write("thesis.txt", format!("{contents}{}\n\n{PASSAGE}.\n", own(1)));
    bench.write(
        "corpus/a-source-whose-name-is-long-and-has-no-blank-in-it-at-all.txt",
        format!("{PASSAGE}. {}", own(2)),
    );
    check(bench.path("thesis.txt"), bench.path("corpus"), bench.path("out")).args(["--lang", "en"]).assert().success();
    let browser = Browser::start();
    browser.size(390, 844);
    for name in ["thesis.txt", "index"] {
        browser.open(&bench.path(format!("out/{name}.html")));
        let widest = browser.run(
            "return Math.max(...[...document.querySelectorAll('article p, .figure, .panel, header')].map((element) => element.getBoundingClientRect().right), 0)",
        );
        assert!(widest.as_f64().unwrap() <= 390.0, "{name}: {widest}");
    }
}

#[test]
fn a_submission_that_is_in_the_corpus_too_is_left_out_with_a_word() {
    let bench = Bench::new();
    bench.write("s/thesis.txt", format!("{}{PASSAGE}.", own(1)));
    bench.write("corpus/thesis.txt", format!("{}{PASSAGE}.", own(1)));
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    check(bench.path("s"), bench.path("corpus"), bench.path("out")).args(["--lang", "en"]).assert().success();
    let browser = Browser::start();
    browser.open(&bench.path("out/index.html"));
    assert!(browser.text("#table tbody").contains("left out because it is this submission itself: thesis.txt"));
    browser.click("#table a");
    assert!(browser.text(".notice").contains("this submission itself: thesis.txt"));
    assert_eq!(browser.run("return document.querySelectorAll('#sources li').length"), 1);
    let (ratio, matched, characters) = super::figure(&browser, "all");
    assert!(matched > 0 && matched < characters, "{ratio}");
}

#[test]
fn a_chinese_index_page_is_chinese_whatever_could_not_be_read() {
    let bench = Bench::new();
    bench.write("s/a.txt", format!("{}{PASSAGE}.", own(1)));
    bench.write("s/short.txt", "two words");
    bench.write("s/no.pdf", "this is no PDF file");
    bench.write("s/slides.pptx", "?");
    bench.write("corpus/source.txt", format!("{PASSAGE}. {}", own(2)));
    let mut command = check(bench.path("s"), bench.path("corpus"), bench.path("out"));
    let ran = command.args(["--lang", "zh", "--format", "html,xlsx"]).assert().code(3);
    let told = String::from_utf8(ran.get_output().stderr.clone()).unwrap();
    let browser = Browser::start();
    browser.open(&bench.path("out/index.html"));
    let failed = browser.text("#failed");
    for (id, reason) in [
        ("short.txt", "文字过短，无法比较：不足 5 个词或汉字"),
        ("no.pdf", "不是 PDF 文件，请重新导出为 PDF"),
        ("slides.pptx", "未读取：不支持此类文件"),
    ] {
        assert!(failed.contains(&format!("{id} – {reason}")), "{failed}");
        assert!(told.contains(&format!("错误：{id}：{reason}")), "{told}");
    }
}
