//! Documents that LibreOffice makes of known texts, once per run of the tests.

use super::thesis::Thesis;
use crate::program::Bench;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// The formats that LibreOffice writes.
pub const OFFICE_FORMATS: [&str; 6] = ["pdf", "docx", "odt", "epub", "rtf", "doc"];

/// A font with Chinese characters, and one without.
const CHINESE_FONT: &str = "WenQuanYi Micro Hei";
const ENGLISH_FONT: &str = "Liberation Serif";

/// What `make tools` installs.
const INSTALL: &str = "is needed: run `make tools`, or on Debian apt-get install libreoffice-writer-nogui poppler-utils \
    poppler-data antiword tesseract-ocr tesseract-ocr-chi-sim fonts-wqy-microhei fonts-liberation";

pub struct Made {
    bench: Bench,
    pub english: Thesis,
    pub chinese: Thesis,
}

/// `english`, `chinese` and their two-column forms `english2` and `chinese2`, `small`, `unseen` and `quoting`, each in every
/// format.
pub static MADE: LazyLock<Made> = LazyLock::new(Made::new);

impl Made {
    fn new() -> Made {
        let bench = Bench::new();
        let (english, chinese) = (Thesis::english(), Thesis::chinese());
        for (name, thesis, font) in [("english", &english, ENGLISH_FONT), ("chinese", &chinese, CHINESE_FONT)] {
            let write = |ending: &str, text: String| bench.write(format!("{name}{ending}"), text);
            write(".txt", thesis.plain());
            write(".html", thesis.html());
            write(".tex", thesis.latex());
            write(".fodt", thesis.flat_odt(1, font));
            write("2.fodt", thesis.flat_odt(2, font));
        }
        let small = Thesis::small();
        bench.write("small.html", small.html());
        bench.write("small.tex", small.latex());
        bench.write("small.fodt", small.flat_odt(1, CHINESE_FONT));
        bench.write("quoting.fodt", Thesis::quoting().flat_odt(1, CHINESE_FONT));
        bench.write("unseen.fodt", Thesis::unseen().flat_odt(1, ENGLISH_FONT));
        let made = Made { bench, english, chinese };
        for format in OFFICE_FORMATS {
            let mut names = vec!["english.fodt", "chinese.fodt", "small.fodt", "unseen.fodt", "quoting.fodt"];
            if format == "pdf" {
                names.extend(["english2.fodt", "chinese2.fodt"]);
            }
            made.convert(format, &names);
        }
        made
    }

    fn convert(&self, format: &str, names: &[&str]) {
        let output = Command::new("soffice")
            .arg(format!("-env:UserInstallation=file://{}", self.path("profile").display()))
            .args(["--headless", "--convert-to", format, "--outdir"])
            .arg(self.bench.folder())
            .args(names.iter().map(|name| self.path(name)))
            .output()
            .unwrap_or_else(|error| panic!("soffice ({error}) {INSTALL}"));
        for name in names {
            let made = self.path(name).with_extension(format);
            assert!(made.exists(), "{}: {}", made.display(), String::from_utf8_lossy(&output.stderr));
        }
        for program in ["pdftotext", "antiword"] {
            if let Err(error) = Command::new(program).arg("-h").output() {
                panic!("{program} ({error}) {INSTALL}");
            }
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.bench.path(name)
    }
}
