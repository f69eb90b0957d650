//! The reports on several submissions.

use crate::errors::Failure;
use crate::report::{Outcome, Report, language};
use crate::table::{self, Form, Table, places};
use crate::work::{Watch, run};
use copytrace::check::{self, Reference, SharedReport, SubmissionTexts, Summary, Unread};
use copytrace::job::Job;
use copytrace::report::batch::{Affiliation, Batch};
use copytrace::report::folder::{Formats, Rendered, ReportFolder};
use copytrace::report::messages::Messages;
use copytrace::report::rows::{Cell, Rows};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The reports on submissions that were checked together, in their order, and what they share with each other.
///
/// `reports[0]`, `reports["thesis.pdf"]` and `for report in reports` give a `Report`, `reports[:10]` a list of them; the tables are those of the CSV files, in the
/// order of the ids. After a pickle all is there but the pages that `save` writes of two submissions side by side.
#[pyclass(module = "copytrace", frozen)]
pub struct Reports(Arc<Content>);

/// What a check came to.
pub struct Content {
    pub outcomes: Vec<Outcome>,
    /// The texts that the pages of two submissions that share text are made of.
    pub texts: Option<SubmissionTexts>,
    pub rest: Rest,
}

/// What it came to besides the reports.
#[derive(Serialize, Deserialize)]
pub struct Rest {
    pub shared: Option<SharedReport>,
    pub reference: Reference,
    /// Documents of the corpus that are missing from it.
    pub unread: Vec<Unread>,
}

impl From<Content> for Reports {
    fn from(content: Content) -> Self {
        Reports(Arc::new(content))
    }
}

impl Content {
    /// The outcomes in the order of the ids. The sort is stable: of two with one id the one that was read first stays first.
    fn sorted(&self) -> Vec<&Outcome> {
        let mut sorted: Vec<&Outcome> = self.outcomes.iter().collect();
        sorted.sort_by(|a, b| id(a).cmp(id(b)));
        sorted
    }

    /// What is told of all submissions together.
    fn batch<'a>(&'a self, affiliations: &'a BTreeMap<String, Affiliation>) -> Batch<'a> {
        let Content { texts, rest: Rest { shared, reference, .. }, .. } = self;
        let (shared, texts) = (shared.as_ref(), texts.as_ref());
        Batch { reference: Some(reference), shared, texts, affiliations, threshold: None }
    }

    fn table(&self, form: Form, rows: impl Fn(Rows) -> Vec<Vec<Cell>>) -> PyResult<Table> {
        let rows: Vec<Vec<Cell>> = self.sorted().into_iter().flat_map(|outcome| rows(Report::rows(outcome))).collect();
        Ok(Table::of(form, &rows)?)
    }

    fn save(&self, folder: &std::path::Path, formats: Formats, overwrite: bool, job: &Job) -> Result<(), Failure> {
        let mut folder = ReportFolder::create(folder, formats.clone(), overwrite)?;
        // Few at a time, because a page may have many megabytes.
        for some in self.outcomes.chunks(64) {
            job.check()?;
            let render = |outcome: &Outcome| {
                let outcome = outcome.as_ref().map(|report| (**report).clone());
                formats.render(outcome.map_err(Unread::clone))
            };
            let rendered: Vec<Rendered> = some.par_iter().map(render).collect::<Result<_, _>>()?;
            rendered.into_iter().try_for_each(|rendered| folder.add(rendered))?;
        }
        folder.complete(&self.batch(&BTreeMap::new()))?;
        job.check()?;
        Ok(folder.finish()?)
    }
}

impl Reports {
    /// The report with an id or at a place.
    fn one(&self, key: &Bound<'_, PyAny>) -> PyResult<Report> {
        let outcomes = &self.0.outcomes;
        if let Ok(name) = key.extract::<String>() {
            let found = outcomes.iter().find(|outcome| id(outcome) == name);
            return found.map(|outcome| Report::new(outcome.clone())).ok_or_else(|| PyKeyError::new_err(name));
        }
        let wrong = || PyTypeError::new_err("reports are asked for by an id (str), a place (int) or a slice");
        let place = key.extract::<isize>().map_err(|_| wrong())?;
        let place = if place < 0 { place + outcomes.len() as isize } else { place };
        let found = usize::try_from(place).ok().and_then(|place| outcomes.get(place));
        let found = found.ok_or_else(|| PyIndexError::new_err(format!("there are {} reports", outcomes.len())))?;
        Ok(Report::new(found.clone()))
    }
}

fn id(outcome: &Outcome) -> &str {
    outcome.as_ref().map_or_else(|unread| &unread.id, |report| &report.submission.id)
}

#[pymethods]
impl Reports {
    /// A row for each submission, as in `summary.csv`.
    #[getter]
    fn summary(&self) -> PyResult<Table> {
        self.0.table(table::SUMMARY, |rows| vec![rows.summary])
    }

    /// A row for each submission and source, as in `sources.csv`.
    #[getter]
    fn sources(&self) -> PyResult<Table> {
        self.0.table(table::SOURCES, |rows| rows.sources)
    }

    /// A row for each passage, as in `passages.csv`.
    #[getter]
    fn passages(&self) -> PyResult<Table> {
        self.0.table(table::PASSAGES, |rows| rows.passages)
    }

    /// A row for each two submissions that share text, as in `shared.csv`; empty when they were not compared.
    #[getter]
    fn shared(&self) -> PyResult<Table> {
        let rows: Vec<Vec<Cell>> =
            self.0.rest.shared.iter().flat_map(|shared| shared.pairs.iter().map(Rows::shared)).collect();
        Ok(Table::of(table::SHARED, &rows)?)
    }

    /// Documents of the corpus that could not be read or compared: `document` and `reason`. Nothing was compared with them.
    #[getter]
    fn unread(&self) -> PyResult<Table> {
        unread(&self.0.rest.unread)
    }

    fn __len__(&self) -> usize {
        self.0.outcomes.len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, outcomes) = (key.py(), &self.0.outcomes);
        if let Ok(slice) = key.cast::<PySlice>() {
            let reports = places(slice, outcomes.len())?.into_iter().map(|place| Report::new(outcomes[place].clone()));
            let reports = reports.map(|report| Bound::new(py, report)).collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, reports)?.into_any());
        }
        Ok(Bound::new(py, self.one(key)?)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let reports = self.0.outcomes.iter().map(|outcome| Bound::new(py, Report::new(outcome.clone())));
        Ok(PyList::new(py, reports.collect::<PyResult<Vec<_>>>()?)?.try_iter()?.into_any())
    }

    /// Writes the folder that `copytrace check` would write: the same files with the same bytes. It appears whole or not at all.
    ///
    /// Parameters
    /// ----------
    /// folder : path
    ///     Where it goes.
    /// formats : list of str
    ///     Some of `csv`, `html`, `json` and `xlsx`.
    /// lang : str
    ///     The language of the pages, `en` or `zh`.
    /// overwrite : bool
    ///     Whether an earlier report is replaced.
    ///
    /// Raises
    /// ------
    /// FileExistsError
    ///     When the folder holds an earlier report that is not to be replaced, or anything else.
    #[pyo3(signature = (folder, formats=vec!["csv".to_owned(), "html".to_owned()], *, lang="en", overwrite=false))]
    #[pyo3(text_signature = "($self, folder, formats=('csv', 'html'), *, lang='en', overwrite=False)")]
    fn save(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        #[pyo3(from_py_with = formats_of)] formats: Vec<String>,
        lang: &str,
        overwrite: bool,
    ) -> PyResult<()> {
        let [csv, html, json, xlsx] = KNOWN.map(|known| formats.iter().any(|format| format == known));
        let language = language(lang)?;
        let formats = Formats { csv, csv_mark: lang == "zh", html, json, xlsx, language, checked: None };
        let content = self.0.clone();
        run(py, Watch::silent(), move |job| content.save(&folder, formats, overwrite, job))
    }

    /// The page of all submissions in a frame, for a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let sorted = self.0.sorted();
        let summaries: Vec<Summary> = sorted.iter().filter_map(|o| Some(o.as_ref().ok()?.summary())).collect();
        let unread: Vec<&Unread> = sorted.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
        let words = Messages::of(language("en")?);
        let page = self.0.batch(&BTreeMap::new()).to_html(&summaries, &unread, words);
        py.import("copytrace._html")?.call_method1("frame", (page.map_err(Failure::from)?,))?.extract()
    }

    fn __repr__(&self) -> String {
        let failed = self.0.outcomes.iter().filter(|outcome| outcome.is_err()).count();
        let failed = if failed > 0 { format!(", {failed} of them could not be checked") } else { String::new() };
        format!("<copytrace.Reports on {} submissions{failed}>", self.0.outcomes.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let content = &slf.get().0;
        let outcomes: Vec<Result<&check::Report, &Unread>> = content.outcomes.iter().map(Outcome::as_deref).collect();
        let json = serde_json::to_string(&(outcomes, &content.rest)).map_err(Failure::from)?;
        Ok((slf.get_type().getattr("_restored")?, (json,)))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(json: &str) -> PyResult<Self> {
        let (outcomes, rest): (Vec<Result<check::Report, Unread>>, Rest) =
            serde_json::from_str(json).map_err(Failure::from)?;
        let outcomes = outcomes.into_iter().map(|outcome| outcome.map(Arc::new)).collect();
        Ok(Content { outcomes, texts: None, rest }.into())
    }
}

/// The kinds of files that a report has.
const KNOWN: [&str; 4] = ["csv", "html", "json", "xlsx"];

fn formats_of(formats: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let Ok(names) = formats.extract::<Vec<String>>() else {
        let shown = formats.repr()?;
        return Err(PyTypeError::new_err(format!("formats is {shown}: expected a list of some of {KNOWN:?}")));
    };
    match names.iter().find(|format| !KNOWN.contains(&format.as_str())) {
        Some(unknown) => Err(PyValueError::new_err(format!("the format {unknown:?}: expected some of {KNOWN:?}"))),
        None => Ok(names),
    }
}

/// A table of documents that are missing.
pub fn unread(unread: &[Unread]) -> PyResult<Table> {
    let rows: Vec<Vec<Cell>> =
        unread.iter().map(|unread| vec![Cell::Text(unread.id.clone()), Cell::Text(unread.message())]).collect();
    Ok(Table::of(table::UNREAD, &rows)?)
}

/// Warns of rows of an array that stand for nothing, given with the reasons.
pub fn warn_of_rows(py: Python<'_>, array: &str, rows: &[(usize, String)]) -> PyResult<()> {
    /// Rows that are named; of more, the number says enough.
    const NAMED: usize = 20;
    let [(first, reason), others @ ..] = rows else { return Ok(()) };
    let mut named: Vec<String> = others.iter().take(NAMED).map(|(row, _)| row.to_string()).collect();
    if others.len() > NAMED {
        named.push("…".to_owned());
    }
    let more = match others.len() {
        0 => String::new(),
        1 => format!(" (and row {})", named[0]),
        count => format!(" (and {count} more: rows {})", named.join(", ")),
    };
    py.import("copytrace._errors")?.call_method1("warn_unread", (format!("{array}row {first}: {reason}{more}"),))?;
    Ok(())
}

/// Warns of documents that are missing, so that nobody takes what was not compared for clean.
pub fn warn(py: Python<'_>, unread: &[Unread]) -> PyResult<()> {
    match unread {
        [] => Ok(()),
        [first, others @ ..] => {
            let more =
                if others.is_empty() { String::new() } else { format!(" (and {} more, see `unread`)", others.len()) };
            let message = format!("{first}{more}");
            py.import("copytrace._errors")?.call_method1("warn_unread", (message,)).map(drop)
        }
    }
}
