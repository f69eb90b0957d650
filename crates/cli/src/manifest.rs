//! A manifest: what is known of documents besides their texts, in a table.

use super::console::shown;
use anyhow::{bail, ensure};
use copytrace::check::Unread;
use copytrace::report::batch::Affiliation;
use copytrace::text::{Document, Metadata};
use copytrace_messages::message;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The columns that have a meaning, each with the names it may have; the first is what it is called here.
const COLUMNS: [&[&str]; 10] = [
    &["path", "file", "filename", "文件", "文件名", "路径"],
    &["id", "学号", "编号"],
    &["title", "题目", "论文题目", "标题", "题名"],
    &["author", "name", "student", "作者", "姓名", "学生", "学生姓名"],
    &["date", "日期", "时间"],
    &["collection", "文献库", "集合", "类别"],
    &["url", "link", "网址", "链接"],
    &["licence", "license", "许可", "许可证"],
    &["department", "faculty", "school", "院系", "学院", "系", "专业"],
    &["supervisor", "advisor", "adviser", "导师", "指导教师", "指导老师"],
];

/// The rows of a manifest, by path.
#[derive(Debug, Default)]
pub struct Manifest {
    rows: BTreeMap<String, BTreeMap<&'static str, String>>,
    used: BTreeSet<String>,
    again: BTreeSet<String>,
    /// Department and supervisor of each document that a row gave one, by its id.
    pub affiliations: BTreeMap<String, Affiliation>,
}

impl Manifest {
    /// Reads a manifest; none given is an empty one.
    pub fn read(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Manifest::default()) };
        let named = || shown(path);
        let mut lines = table(path)?.into_iter().filter(|cells| cells.iter().any(|cell| !cell.is_empty()));
        let header = lines.next().unwrap_or_default();
        let fields: Vec<Option<&str>> = header.iter().map(|name| field(name)).collect();
        ensure!(
            fields.contains(&Some("path")),
            message!("no-path-column", path = named(), columns = header.join(", "))
        );
        let mut rows = BTreeMap::new();
        for (number, cells) in (2..).zip(lines) {
            ensure!(cells.len() <= fields.len(), message!("row-too-long", path = named(), row = number));
            let cells = fields.iter().zip(cells).filter_map(|(field, cell)| Some(((*field)?, cell)));
            let mut row: BTreeMap<&'static str, String> = cells.filter(|(_, cell)| !cell.is_empty()).collect();
            let Some(of) = row.remove("path") else {
                bail!(message!("row-without-path", path = named(), row = number));
            };
            if rows.insert(of.clone(), row).is_some() {
                bail!(message!("path-twice", path = named(), of = of));
            }
        }
        Ok(Manifest { rows, ..Manifest::default() })
    }

    /// Gives a document the id and metadata of its row, where it has one. What the row leaves empty stays as it was.
    pub fn complete(&mut self, mut document: Document) -> Document {
        let Some(row) = self.rows.get(&document.id) else { return document };
        if !self.used.insert(document.id.clone()) {
            self.again.insert(document.id.clone());
        }
        let cell = |field| row.get(field).cloned();
        document.vouched_author = cell("author").or(document.vouched_author);
        let given = Metadata {
            title: cell("title"),
            author: cell("author"),
            date: cell("date"),
            collection: cell("collection"),
            url: cell("url"),
            licence: cell("licence"),
        };
        document.metadata = given.or(document.metadata);
        document.id = cell("id").unwrap_or(document.id);
        let affiliation = Affiliation { department: cell("department"), supervisor: cell("supervisor") };
        if affiliation != Affiliation::default() {
            self.affiliations.insert(document.id.clone(), affiliation);
        }
        document
    }

    /// A batch of documents, each completed.
    pub fn complete_all(&mut self, batch: Vec<Result<Document, Unread>>) -> Vec<Result<Document, Unread>> {
        batch.into_iter().map(|read| read.map(|document| self.complete(document))).collect()
    }

    /// Paths that documents had so far.
    pub fn used(&self) -> &BTreeSet<String> {
        &self.used
    }

    /// Of these paths, those that a second document had.
    pub fn used_again<'a>(&'a self, before: &'a BTreeSet<String>) -> impl Iterator<Item = &'a str> {
        self.again.iter().filter(|path| before.contains(*path)).map(String::as_str)
    }

    /// Paths that no document had, in order.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().filter(|path| !self.used.contains(*path)).map(String::as_str)
    }
}

#[cfg(feature = "service")]
fn table(path: &Path) -> anyhow::Result<Vec<Vec<String>>> {
    let refused = || message!("not-a-manifest", path = shown(path));
    let bytes = std::fs::read(path).map_err(|error| refused().because(error))?;
    Ok(copytrace_serve::table::rows(&path.to_string_lossy(), &bytes).map_err(|error| refused().because(error))?)
}

#[cfg(not(feature = "service"))]
fn table(_: &Path) -> anyhow::Result<Vec<Vec<String>>> {
    bail!(message!("not-built-in", option = "--manifest"))
}

fn field(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    COLUMNS.iter().find(|names| names.contains(&name.as_str())).map(|names| names[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(name: &str, bytes: &[u8]) -> Document {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let mut manifest = Manifest::read(Some(&path)).unwrap();
        manifest.complete(Document { id: "论文.txt".to_owned(), ..Document::default() })
    }

    #[test]
    fn a_manifest_is_read_in_any_encoding_with_any_separator_and_names_in_either_language() {
        let chinese = "文件名;作者;题目;院系\n论文.txt;张三;潮汐;海洋学院\n";
        let gbk = encoding_rs_bytes(chinese);
        for bytes in [
            chinese.as_bytes(),
            gbk.as_slice(),
            "\u{feff}path,Author,title\r\n论文.txt,张三,潮汐\r\n".as_bytes(),
            "path\tauthor\ttitle\n论文.txt\t张三\t潮汐\n".as_bytes(),
        ] {
            let document = complete("manifest.csv", bytes);
            assert_eq!(document.vouched_author.as_deref(), Some("张三"));
            assert_eq!(document.metadata.title.as_deref(), Some("潮汐"));
        }
    }

    fn encoding_rs_bytes(text: &str) -> Vec<u8> {
        encoding_rs::GB18030.encode(text).0.into_owned()
    }

    #[test]
    fn a_table_without_paths_is_refused_with_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.csv");
        std::fs::write(&path, "name,title\na,b\n").unwrap();
        let error = Manifest::read(Some(&path)).unwrap_err().to_string();
        assert!(error.contains("m.csv") && error.contains("name, title"), "{error}");
    }
}
