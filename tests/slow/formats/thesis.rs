//! A thesis of known text, written as plain text, HTML, LaTeX and flat OpenDocument.

use crate::program::project;
use std::fs;

/// A piece of a thesis.
pub enum Block {
    Title(String),
    Heading(u8, String),
    Paragraph(String),
    /// A paragraph, and a footnote at its end.
    Noted(String, String),
    Table(Vec<Vec<String>>),
    /// A paragraph, and words after it in a style of the flat OpenDocument file: White, Small or Unseen.
    Styled(String, &'static str, String),
    /// A paragraph in a style of the flat OpenDocument file that says nothing of what it is: ByHand, Inset or InsetSmall.
    Set(String, &'static str),
}

pub struct Thesis {
    pub blocks: Vec<Block>,
}

use Block::{Heading, Noted, Paragraph, Set, Styled, Table, Title};

/// Paragraphs of a document of the demo corpus, without its headings.
fn paragraphs(name: &str) -> Vec<String> {
    let text = fs::read_to_string(project("corpora/demo/reference").join(name)).unwrap();
    let is_prose = |paragraph: &&str| paragraph.chars().count() > 60 && !paragraph.starts_with('#');
    text.split("\n\n").map(str::trim).filter(is_prose).map(|p| p.replace('\n', " ")).collect()
}

impl Thesis {
    /// An English thesis of four chapters made of documents of the demo corpus.
    pub fn english() -> Thesis {
        let table = [["Year", "Silt (mm)"], ["1931", "4"], ["1932", "7"]];
        let mut thesis = Thesis { blocks: vec![Title("On Marshes and Other Places".to_owned())] };
        let sources = [
            "en-ref-01-tidal-marsh.txt",
            "en-ref-02-library-lending.txt",
            "en-ref-05-sluice-gate.txt",
            "en-ref-08-night-nurses.txt",
        ];
        let names = ["Introduction", "Lending", "Gates and their Keepers", "Nights"];
        for (number, (source, name)) in (1..).zip(sources.into_iter().zip(names)) {
            thesis.chapter(format!("Chapter {number} {name}"), paragraphs(source), "Part", &table);
        }
        thesis
    }

    /// A Chinese thesis of four chapters.
    pub fn chinese() -> Thesis {
        let table = [["年份", "泥沙"], ["一九三一", "四毫米"], ["一九三二", "七毫米"]];
        let mut thesis = Thesis { blocks: vec![Title("沼泽与其他地方".to_owned())] };
        let sources = [
            "zh-ref-01-tea-cooperative.txt",
            "zh-ref-04-rockfall.txt",
            "zh-ref-07-paddy-irrigation.txt",
            "zh-ref-11-fishing-village.txt",
        ];
        let names = ["第一章 绪论", "第二章 落石", "第三章 灌溉", "第四章 渔村"];
        for (source, name) in sources.into_iter().zip(names) {
            thesis.chapter(name.to_owned(), paragraphs(source), "部分", &table);
        }
        thesis
    }

    /// Paragraphs with words that nobody sees.
    pub fn unseen() -> Thesis {
        let mut blocks = Vec::new();
        let styles =
            [("White", "pale words of padding"), ("Small", "tiny words of padding"), ("Unseen", "hidden words")];
        for (style, words) in styles {
            let text =
                "A salt marsh is filled from two directions, and fresh water governs how long the roots stay wet.";
            blocks.push(Styled(format!("{text} "), style, words.to_owned()));
            blocks.push(Paragraph(
                "Nothing is hidden in this paragraph, which anybody may read as it stands.".to_owned(),
            ));
        }
        Thesis { blocks }
    }

    /// Three chapters whose headings are set by hand, with a cited block quotation after every second paragraph.
    pub fn quoting() -> Thesis {
        let mut blocks = Vec::new();
        let sources = [
            ("en-ref-01-tidal-marsh.txt", "Of the Marshes", " (3.2.106–111)"),
            ("en-ref-05-sluice-gate.txt", "Of Gates and their Keepers", " (Smith 2001, 12)"),
            ("zh-ref-07-paddy-irrigation.txt", "灌溉的历史", "[12]"),
        ];
        for (source, heading, place) in sources {
            blocks.push(Set(heading.to_owned(), "ByHand"));
            for (at, paragraph) in paragraphs(source).into_iter().enumerate() {
                let quotation: String = paragraph.chars().take(220).collect();
                blocks.push(Paragraph(paragraph));
                if at % 2 == 0 && quotation.chars().count() > 100 {
                    blocks.push(Set(format!("{quotation}{place}"), if at % 4 == 0 { "Inset" } else { "InsetSmall" }));
                }
            }
        }
        Thesis { blocks }
    }

    /// Two short chapters in both languages.
    pub fn small() -> Thesis {
        let mut thesis = Thesis { blocks: vec![Title("Small".to_owned())] };
        let words = |text: &str| vec![text.to_owned(), text.to_owned()];
        let english = words("A salt marsh is filled from two directions, and fresh water governs how long.");
        thesis.chapter("Chapter 1 One".to_owned(), english, "Part", &[["Year", "Silt"]]);
        let chinese = words("云岭镇的七家茶叶合作社都设有会计，却很少有人说得清一斤干茶究竟花了多少钱。");
        thesis.chapter("第二章 二".to_owned(), chinese, "部分", &[["年份", "泥沙"]]);
        thesis
    }

    fn chapter(&mut self, heading: String, paragraphs: Vec<String>, part: &str, table: &[[&str; 2]]) {
        let number = self.headings().iter().filter(|(level, _)| *level == 1).count() + 1;
        self.blocks.push(Heading(1, heading));
        for (at, paragraph) in paragraphs.into_iter().enumerate() {
            if at % 2 == 1 {
                self.blocks.push(Heading(
                    2,
                    format!("{number}.{} {part} {}", at.div_ceil(2), "ABCDEFGHIJ".split_at(at % 10).1.split_at(1).0),
                ));
            }
            self.blocks.push(if at == 0 {
                let kept = [
                    ["the parish chest", "县志馆"],
                    ["the old mill", "旧磨坊"],
                    ["a barn", "谷仓"],
                    ["a drawer", "抽屉里"],
                ];
                let [english, chinese] = kept[number - 1];
                let english = format!("The stakes of that year stand in {english}.");
                Noted(paragraph, if part == "Part" { english } else { format!("那一年的木桩现存于{chinese}。") })
            } else {
                Paragraph(paragraph)
            });
        }
        self.blocks.push(Table(table.iter().map(|row| row.iter().map(|cell| cell.to_string()).collect()).collect()));
    }

    pub fn headings(&self) -> Vec<(u8, &str)> {
        let heading = |block: &'_ Block| matches!(block, Heading(..));
        self.blocks
            .iter()
            .filter(|block| heading(block))
            .map(|block| match block {
                Heading(level, text) => (*level, text.as_str()),
                _ => unreachable!("only headings are left"),
            })
            .collect()
    }

    /// The text as a person reads it, notes after their paragraphs.
    pub fn plain(&self) -> String {
        let blocks = self.blocks.iter().map(|block| match block {
            Title(text) | Heading(_, text) | Paragraph(text) | Styled(text, ..) | Set(text, _) => text.clone(),
            Noted(text, note) => format!("{text}\n\n{note}"),
            Table(rows) => rows.iter().map(|row| row.join("\t")).collect::<Vec<_>>().join("\n"),
        });
        blocks.collect::<Vec<_>>().join("\n\n")
    }

    pub fn html(&self) -> String {
        let blocks = self.blocks.iter().map(|block| match block {
            Title(text) => format!("<p class='title'>{}</p>", escaped(text)),
            Heading(level, text) => format!("<h{level}>{}</h{level}>", escaped(text)),
            Paragraph(text) | Styled(text, ..) | Set(text, _) => format!("<p>{}</p>", escaped(text)),
            Noted(text, note) => format!("<p>{}</p><div>{}</div>", escaped(text), escaped(note)),
            Table(rows) => {
                let row = |row: &Vec<String>| {
                    row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect::<String>()
                };
                format!("<table>{}</table>", rows.iter().map(|r| format!("<tr>{}</tr>", row(r))).collect::<String>())
            }
        });
        format!("<!DOCTYPE html><meta charset=utf-8><body>{}</body>", blocks.collect::<Vec<_>>().join("\n"))
    }

    pub fn latex(&self) -> String {
        let tex = |text: &str| {
            let mut out = String::new();
            for c in text.chars() {
                match c {
                    '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
                    '“' => out.push_str("``"),
                    '”' => out.push_str("''"),
                    '–' => out.push_str("--"),
                    _ => out.push(c),
                }
            }
            out
        };
        let blocks = self.blocks.iter().map(|block| match block {
            Title(text) => format!("\\begin{{center}}{}\\end{{center}}", tex(text)),
            Heading(1, text) => format!("\\chapter{{{}}}\\label{{c}}", tex(text)),
            Heading(_, text) => format!("\\section{{{}}}", tex(text)),
            Paragraph(text) | Styled(text, ..) | Set(text, _) => format!("{} % a comment", tex(text)),
            Noted(text, note) => format!("{}\\footnote{{{}}}", tex(text), tex(note)),
            Table(rows) => {
                let row = |row: &Vec<String>| row.iter().map(|cell| tex(cell)).collect::<Vec<_>>().join(" & ");
                let rows: Vec<String> = rows.iter().map(row).collect();
                format!("\\begin{{tabular}}{{ll}}\n{}\n\\end{{tabular}}", rows.join(" \\\\ \\hline\n"))
            }
        });
        let blocks: Vec<String> = blocks.collect();
        format!(
            "\\documentclass{{book}}\n\\usepackage{{ctex}}\n\\begin{{document}}\n{}\n\\end{{document}}",
            blocks.join("\n\n")
        )
    }

    /// Flat OpenDocument, from which LibreOffice makes the other formats. Pages have a header and a number.
    pub fn flat_odt(&self, columns: usize, font: &str) -> String {
        let mut notes = 0;
        let mut body = String::new();
        for block in &self.blocks {
            match block {
                Title(text) => body += &format!("<text:p text:style-name='Title'>{}</text:p>", escaped(text)),
                Heading(level, text) => {
                    body += &format!(
                        "<text:h text:style-name='Heading_20_{level}' text:outline-level='{level}'>{}</text:h>",
                        escaped(text)
                    );
                }
                Paragraph(text) => body += &format!("<text:p text:style-name='Standard'>{}</text:p>", escaped(text)),
                Set(text, style) => {
                    body += &format!("<text:p text:style-name='{style}'>{}</text:p>", escaped(text));
                }
                Styled(text, style, words) => {
                    body += &format!(
                        "<text:p text:style-name='Standard'>{}<text:span text:style-name='{style}'>{words}</text:span></text:p>",
                        escaped(text)
                    );
                }
                Noted(text, note) => {
                    notes += 1;
                    body += &format!(
                        "<text:p text:style-name='Standard'>{}<text:note text:id='n{notes}' text:note-class='footnote'>\
                         <text:note-citation>{notes}</text:note-citation><text:note-body><text:p text:style-name='Footnote'>\
                         {}</text:p></text:note-body></text:note></text:p>",
                        escaped(text),
                        escaped(note)
                    );
                }
                Table(rows) => {
                    body += "<table:table><table:table-column table:number-columns-repeated='2'/>";
                    for row in rows {
                        body += "<table:table-row>";
                        for cell in row {
                            let cell = escaped(cell);
                            body += &format!(
                                "<table:table-cell><text:p text:style-name='Standard'>{cell}</text:p></table:table-cell>"
                            );
                        }
                        body += "</table:table-row>";
                    }
                    body += "</table:table>";
                }
            }
        }
        include_str!("thesis.fodt")
            .replace("FONT", font)
            .replace("COLUMNS", &columns.to_string())
            .replace("BODY", &body)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
