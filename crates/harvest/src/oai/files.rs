//! The files of a record, as the formats `xoai`, `mets` and `ore` name them: an address, of what kind, in which group. Dublin Core
//! has no place for files.

use crate::web::media;
use std::collections::BTreeMap;
use url::Url;

/// The formats that name files, the best first.
pub(super) const FORMATS: [&str; 3] = ["xoai", "mets", "ore"];

/// The groups (DSpace: bundles) of what a record is about. Others hold licences, small pictures, and text that a machine read.
const GROUPS: [&str; 2] = ["ORIGINAL", "CONTENT"];

/// How the files of a licence are called, where no group tells it.
const LICENCE: &str = "license";

/// How a resource map says what belongs to a record.
const AGGREGATES: &str = "http://www.openarchives.org/ore/terms/aggregates";

/// Files of one record that are looked at; those of a book in pictures of its pages are some thousand.
const MOST: usize = 10_000;

/// The files of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Files {
    found: Vec<File>,
    /// The group and the kind of the file at hand.
    group: String,
    kind: String,
    /// What the fields of `xoai` that come are of, and what the field at hand is called.
    of: String,
    field: String,
    /// What a resource map speaks of, and in which group each file stands by it.
    about: String,
    groups: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    address: String,
    /// None where a format has none.
    group: Option<String>,
    kind: String,
}

impl Files {
    /// An element begins.
    pub(super) fn begin(&mut self, name: &str, attribute: impl Fn(&str) -> String) {
        match name {
            "fileGrp" => self.group = attribute("USE"),
            "file" => self.kind = attribute("MIMETYPE"),
            "FLocat" if attribute("LOCTYPE") == "URL" => self.add(attribute("href"), Some(self.group.clone())),
            "link" if attribute("rel") == AGGREGATES => {
                self.kind = attribute("type");
                self.add(attribute("href"), None);
            }
            "Description" => self.about = attribute("about"),
            "element" => {
                self.of = attribute("name");
                match self.of.as_str() {
                    "bundle" => self.group.clear(),
                    "bitstream" => self.kind.clear(),
                    _ => {}
                }
            }
            "field" => self.field = attribute("name"),
            _ => {}
        }
    }

    /// An element ends that held a text.
    pub(super) fn end(&mut self, name: &str, text: &str) {
        match (name, self.of.as_str(), self.field.as_str()) {
            ("field", "bundle", "name") => text.clone_into(&mut self.group),
            ("field", "bitstream", "format") => text.clone_into(&mut self.kind),
            ("field", "bitstream", "url") => self.add(text.to_owned(), Some(self.group.clone())),
            ("description", ..) if !self.about.is_empty() && self.groups.len() < MOST => {
                self.groups.entry(std::mem::take(&mut self.about)).or_insert_with(|| text.to_owned());
            }
            _ => {}
        }
    }

    fn add(&mut self, address: String, group: Option<String>) {
        if self.found.len() < MOST && !address.is_empty() {
            self.found.push(File { address, group, kind: self.kind.to_ascii_lowercase() });
        }
    }

    /// The addresses of files that may be read: the best first, then as they stand there.
    pub(super) fn addresses(&self) -> Vec<Url> {
        let mut ranked: Vec<(u8, Url)> = self.found.iter().filter_map(|file| self.ranked(file)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, address)| address).collect()
    }

    fn ranked(&self, file: &File) -> Option<(u8, Url)> {
        let address = Url::parse(&file.address).ok()?;
        let name = address.path().rsplit('/').next().unwrap_or_default();
        match file.group.as_ref().or(self.groups.get(&file.address)) {
            Some(group) if !GROUPS.contains(&group.as_str()) => None,
            None if name.starts_with(LICENCE) => None,
            _ => Some((media::rank(&file.kind, name)?, address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer;
    use super::*;

    /// Bitstreams by group, kind and address, as DSpace writes them in a format.
    fn written(format: &str, files: &[(&str, &str, &str)]) -> String {
        let field = |name: &str, value: &str| format!("<field name=\"{name}\">{value}</field>");
        let bundles = |(group, kind, address): &(&str, &str, &str)| match format {
            "xoai" => format!(
                "<element name=\"bundle\">{}<element name=\"bitstreams\"><element name=\"bitstream\">{}</element></element></element>",
                field("name", group),
                [
                    ("name", "a file"),
                    ("format", kind),
                    ("size", "12"),
                    ("url", address),
                    ("checksum", "0f"),
                    ("sid", "1")
                ]
                .map(|(name, value)| field(name, value))
                .concat()
            ),
            "mets" => format!(
                "<fileGrp USE=\"{group}\"><file ID=\"B_1\" MIMETYPE=\"{kind}\" SEQ=\"1\" SIZE=\"12\" CHECKSUMTYPE=\"MD5\">\
                 <FLocat LOCTYPE=\"URL\" xlink:type=\"simple\" xlink:href=\"{address}\"/></file></fileGrp>"
            ),
            _ => format!(
                "<atom:link rel=\"{AGGREGATES}\" href=\"{address}\" title=\"a file\" type=\"{kind}\" length=\"12\"/>"
            ),
        };
        let all: String = files.iter().map(bundles).collect();
        let groups = files.iter().map(|(group, _, address)| {
            format!("<rdf:Description rdf:about=\"{address}\"><dcterms:description>{group}</dcterms:description></rdf:Description>")
        });
        match format {
            "xoai" => format!(
                "<metadata xmlns=\"http://www.lyncode.com/xoai\"><element name=\"dc\"><element name=\"title\"><element name=\"en\">{}\
                 </element></element></element><element name=\"bundles\">{all}</element><element name=\"license\">{}</element></metadata>",
                field("value", "Tides"),
                field("bin", "TGljZW5jZQ==")
            ),
            "mets" => format!("<mets xmlns:xlink=\"x\"><metsHdr/><dmdSec ID=\"D\"/><fileSec>{all}</fileSec></mets>"),
            _ => format!(
                "<atom:entry><atom:link rel=\"alternate\" href=\"https://a.org/1\"/>{all}<oreatom:triples>{}</oreatom:triples></atom:entry>",
                groups.collect::<String>()
            ),
        }
    }

    /// The addresses that are taken of a record with this metadata.
    fn taken(metadata: &str) -> Vec<String> {
        let record = format!(
            "<record><header><identifier>oai:a.org:1</identifier></header><metadata>{metadata}</metadata></record>"
        );
        let page = answer::read(format!("<OAI-PMH><GetRecord>{record}</GetRecord></OAI-PMH>").into_bytes());
        assert_eq!(page.broken, None, "{metadata}");
        page.entries[0].files.addresses().iter().map(Url::to_string).collect()
    }

    #[test]
    fn of_each_format_the_files_are_taken_that_are_what_the_record_is_about_the_best_first() {
        let files = [
            ("LICENSE", "text/plain", "https://a.org/b/license.txt"),
            ("ORIGINAL", "image/jpeg", "https://a.org/b/map.jpg"),
            ("ORIGINAL", "application/octet-stream", "https://a.org/b/2/download"),
            ("ORIGINAL", "text/plain", "https://a.org/b/notes?x=1&amp;y=2"),
            ("CONTENT", "application/pdf", "https://a.org/b/3/content"),
            ("ORIGINAL", "", "https://a.org/b/tides.pdf?sequence=1"),
            ("TEXT", "text/plain", "https://a.org/b/tides.pdf.txt"),
            ("THUMBNAIL", "application/pdf", "https://a.org/b/small.pdf"),
            ("ORIGINAL", "application/pdf", "/b/nowhere.pdf"),
        ];
        let expected = ["3/content", "tides.pdf?sequence=1", "notes?x=1&y=2", "2/download"];
        for format in FORMATS {
            let told = taken(&written(format, &files));
            assert_eq!(told, expected.map(|name| format!("https://a.org/b/{name}")), "{format}");
            assert_eq!(taken(&written(format, &files[..2])), [""; 0], "{format}");
        }
    }

    #[test]
    fn a_resource_map_without_groups_gives_what_it_aggregates_but_its_licence() {
        let link = |rel: &str, address: &str| format!("<link rel='{rel}' href='{address}' type='text/plain'/>");
        let map = [
            link(AGGREGATES, "https://a.org/license.txt"),
            link("self", "https://a.org/map.txt"),
            link(AGGREGATES, "https://a.org/tides.txt"),
        ];
        assert_eq!(taken(&format!("<entry>{}</entry>", map.concat())), ["https://a.org/tides.txt"]);
    }

    #[test]
    fn what_is_written_otherwise_names_no_file() {
        let group = |inside: &str| {
            format!("<fileGrp USE='ORIGINAL'><file MIMETYPE='application/pdf'>{inside}</file></fileGrp>")
        };
        for metadata in [
            String::new(),
            group(""),
            group("<FLocat LOCTYPE='HANDLE' href='https://a.org/1.pdf'/>"),
            group("<FLocat LOCTYPE='URL' href='//a.org/1.pdf'/><FLocat LOCTYPE='URL'/><FContent/>"),
            "<fileGrp><file MIMETYPE='application/pdf'><FLocat LOCTYPE='URL' href='https://a.org/1.pdf'/></file></fileGrp>".into(),
            "<element name='bitstream'><field name='url'>https://a.org/1.pdf</field></element>".into(),
            "<field name='url'>https://a.org/1.pdf</field><field/><element/>".into(),
        ] {
            assert_eq!(taken(&metadata), [""; 0], "{metadata}");
        }
        let many = group(&"<FLocat LOCTYPE='URL' href='https://a.org/1.pdf'/>".repeat(MOST + 1));
        assert_eq!(taken(&many).len(), MOST);
    }
}
