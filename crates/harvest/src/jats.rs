//! Articles in JATS (ANSI/NISO Z39.96), as PubMed Central and publishers pass them on. An article becomes a page, so that headings,
//! formulas, tables and references are marked as in every page.

use copytrace_text::Metadata;
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

/// Elements whose text is no part of the article as a reader has it, or stands there in another form too.
const SKIPPED: [&str; 10] = [
    "article-id",
    "aff",
    "author-notes",
    "object-id",
    "processing-meta",
    "related-article",
    "related-object",
    "self-uri",
    "supplementary-material",
    "tex-math",
];

/// Elements of the front that are part of the text; of all others only what they say of the article is taken.
const OF_FRONT: [&str; 3] = ["title-group", "abstract", "trans-abstract"];

/// Parts that many articles leave to the journal to give a title.
const HEADINGS: [(&str, &str); 2] = [("abstract", "<h2>Abstract</h2>"), ("ref-list", "<h2>References</h2>")];

/// Elements within each other that are followed; those of articles stand twenty deep.
const DEPTH: usize = 256;

/// An article as a page, with what it says of itself.
pub(crate) struct Article {
    /// That of PubMed Central, or its DOI; empty if it has neither.
    pub(crate) id: String,
    pub(crate) html: String,
    pub(crate) known: Metadata,
}

/// An element that is open.
struct Open {
    name: String,
    /// What ends it in the page.
    end: String,
    /// What is taken of its text: a name of [`Taken`].
    takes: Option<Taken>,
    /// Whether it has had an element in it.
    has_child: bool,
}

/// What an article says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Title,
    Surname,
    GivenNames,
    Year,
    Month,
    Day,
    Licence,
    Doi,
    Central,
    Journal,
}

#[derive(Default)]
struct Reading {
    html: String,
    open: Vec<Open>,
    /// How many of the open elements are skipped, from the outermost.
    skipped: usize,
    /// The text that is being taken, and all that was.
    taking: String,
    taken: Vec<(Taken, String)>,
    sections: usize,
}

/// Reads an article.
///
/// # Errors
/// What is wrong with the XML; also if it is none of JATS.
pub(crate) fn article(xml: &str) -> Result<Article, String> {
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{FEFF}'));
    reader.config_mut().allow_dangling_amp = true;
    let mut reading = Reading::default();
    let mut is_article = false;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => {
                if reading.open.len() >= DEPTH {
                    return Err(format!("more than {DEPTH} elements stand within each other"));
                }
                is_article |= reading.open.is_empty() && start.local_name().into_inner() == "article";
                reading.start(&start);
            }
            Event::Empty(start) => {
                reading.start(&start);
                reading.end();
            }
            Event::End(_) => reading.end(),
            Event::Text(text) => reading.text(&text),
            Event::CData(text) => reading.text(&text),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => reading.text(character.encode_utf8(&mut [0; 4])),
                _ => match resolve_xml_entity(&reference) {
                    Some(text) => reading.text(text),
                    // Those that a DTD declares have the names that they have in HTML.
                    None => reading.html.push_str(&format!("&{};", &*reference)),
                },
            },
            Event::Eof if !reading.open.is_empty() => return Err("the file ends within the article".to_owned()),
            Event::Eof => break,
            Event::Decl(_) | Event::DocType(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
    if is_article { Ok(reading.finish()) } else { Err("no article in JATS".to_owned()) }
}

impl Reading {
    fn is_in(&self, name: &str) -> bool {
        self.open.iter().any(|open| open.name == name)
    }

    /// Whether here stands what is said of the article, and not its text.
    fn is_of_front(&self) -> bool {
        (self.is_in("front") || self.is_in("front-stub")) && !OF_FRONT.iter().any(|part| self.is_in(part))
    }

    fn start(&mut self, start: &BytesStart) {
        let name = start.local_name().into_inner();
        let attribute = |name: &str| {
            let found =
                start.attributes().with_checks(false).flatten().find(|a| a.key.local_name().into_inner() == name);
            found.map(|found| found.value.to_string()).unwrap_or_default()
        };
        let around =
            self.open.last_mut().map(|around| (std::mem::replace(&mut around.has_child, true), around.name.as_str()));
        let is_second = around == Some((true, "alternatives"));
        let untitled = HEADINGS.iter().find(|(part, _)| around == Some((false, part)) && name != "title");
        let heading = untitled.map(|(_, heading)| *heading).filter(|_| self.skipped == 0);
        self.html.extend(heading);
        let of_front = self.is_of_front() && !OF_FRONT.contains(&name);
        let takes = self.takes(name, &attribute).filter(|_| self.skipped == 0);
        // The front is gone through for what it says, and its text is skipped.
        let skips = is_second || SKIPPED.contains(&name) && takes.is_none();
        let mut open = Open { name: name.to_owned(), end: String::new(), takes, has_child: false };
        if self.skipped > 0 || skips {
            self.skipped += 1;
        } else if !of_front {
            open.end = self.begin(name);
        }
        if takes.is_some() {
            self.taking.clear();
        }
        if let (true, href) = (name == "license" && of_front, attribute("href")) {
            self.taken.extend((!href.is_empty()).then_some((Taken::Licence, href)));
        }
        self.open.push(open);
    }

    /// What is taken of an element of the article's front.
    fn takes(&self, name: &str, attribute: &dyn Fn(&str) -> String) -> Option<Taken> {
        let around = self.open.last().map_or("", |open| open.name.as_str());
        // Of answers and translations in it the article's own front says nothing.
        if !self.is_in("front") || self.is_in("sub-article") || self.is_in("response") {
            return None;
        }
        let is_author = || self.is_in("contrib") && self.is_in("article-meta") && !self.is_in("collab");
        Some(match (around, name) {
            ("article-meta", "article-id") => match attribute("pub-id-type").as_str() {
                "doi" => Taken::Doi,
                "pmc" | "pmcid" => Taken::Central,
                _ => return None,
            },
            ("title-group", "article-title") => Taken::Title,
            ("name", "surname") if is_author() => Taken::Surname,
            ("name", "given-names") if is_author() => Taken::GivenNames,
            ("pub-date", "year") => Taken::Year,
            ("pub-date", "month") => Taken::Month,
            ("pub-date", "day") => Taken::Day,
            ("journal-title-group" | "journal-meta", "journal-title") => Taken::Journal,
            ("license", "license-p" | "license_ref") | ("permissions", "license_ref") => Taken::Licence,
            _ => return None,
        })
    }

    /// Begins an element in the page; gives what ends it.
    fn begin(&mut self, name: &str) -> String {
        let around = self.open.last().map_or("", |open| open.name.as_str());
        let element = match name {
            "article-title" if around == "title-group" => "h1",
            "title" if around == "caption" => "b",
            "title" => ["h2", "h2", "h3", "h4", "h5"][self.sections.min(4)],
            "sec" => {
                self.sections += 1;
                "div"
            }
            "p" if self.is_in("ref") || around == "list-item" || around == "caption" => "span",
            "p" | "ref" | "verse-line" | "ack" | "fn" | "attrib" | "speech" | "subtitle" | "corresp" => "p",
            "disp-quote" => "blockquote",
            "list" => "ul",
            "list-item" => "li",
            "disp-formula" | "inline-formula" => "math",
            "label" if around == "sec" => return self.skip(),
            "caption" => "figcaption",
            "preformat" | "code" => "pre",
            "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "sub" | "sup" => name,
            "break" => "br",
            "abstract" | "trans-abstract" | "ref-list" | "body" | "back" | "app" | "fig" | "table-wrap"
            | "boxed-text" | "sub-article" | "response" | "statement" | "def-item" | "def" | "term" => "div",
            // The pieces of a reference stand one behind the other without a sign between them.
            _ if around == "element-citation" => {
                self.html.push(' ');
                return String::new();
            }
            _ => return String::new(),
        };
        self.html.push_str(&format!("<{element}>"));
        match element {
            "br" => String::new(),
            // Behind the title of a caption its text goes on.
            "b" => "</b> ".to_owned(),
            _ => format!("</{element}>"),
        }
    }

    /// Skips the element that begins.
    fn skip(&mut self) -> String {
        self.skipped = 1;
        String::new()
    }

    fn end(&mut self) {
        let Some(Open { name, end, takes, .. }) = self.open.pop() else { return };
        self.html.push_str(&end);
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if name == "sec" {
            self.sections = self.sections.saturating_sub(1);
        }
        if let Some(takes) = takes {
            let words: Vec<&str> = self.taking.split_whitespace().collect();
            self.taken.extend((!words.is_empty()).then(|| (takes, words.join(" "))));
        }
    }

    fn text(&mut self, text: &str) {
        self.taking.push_str(text);
        if self.skipped > 0 || self.is_of_front() || self.open.is_empty() {
            return;
        }
        for c in text.chars() {
            match c {
                '<' => self.html.push_str("&lt;"),
                '&' => self.html.push_str("&amp;"),
                c => self.html.push(c),
            }
        }
    }

    fn finish(self) -> Article {
        let first =
            |wanted: Taken| self.taken.iter().find(|(taken, _)| *taken == wanted).map(|(_, text)| text.as_str());
        let mut authors: Vec<String> = Vec::new();
        for (taken, text) in &self.taken {
            match taken {
                Taken::Surname => authors.push(text.clone()),
                Taken::GivenNames => authors.last_mut().into_iter().for_each(|last| *last = format!("{last}, {text}")),
                _ => {}
            }
        }
        let date = [Taken::Year, Taken::Month, Taken::Day].map(first).into_iter().map_while(|part| part);
        let date: Vec<String> = date.map(|part| format!("{part:0>2}")).collect();
        let doi = first(Taken::Doi);
        let central = first(Taken::Central).map(|id| format!("PMC{}", id.trim_start_matches("PMC")));
        let url = doi.map(|doi| format!("https://doi.org/{doi}"));
        let page = central.as_ref().map(|id| format!("https://pmc.ncbi.nlm.nih.gov/articles/{id}/"));
        let known = Metadata {
            title: first(Taken::Title).map(str::to_owned),
            author: (!authors.is_empty()).then(|| authors.join("; ")),
            date: (!date.is_empty()).then(|| date.join("-")),
            collection: first(Taken::Journal).map(str::to_owned),
            licence: first(Taken::Licence).map(str::to_owned),
            url: url.or(page),
        };
        let id = central.or_else(|| doi.map(|doi| format!("doi:{doi}"))).unwrap_or_default();
        Article { id, html: format!("<!DOCTYPE html><meta charset=utf-8><body>{}", self.html), known }
    }
}
