//! Ids that pairs join, where pairs come in batches and are too many to be held.

use crate::errors::Failure;
use crate::stream;
use crate::table::{self, Table};
use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeStringArray, RecordBatch, StringArray};
use copytrace::report::rows::Rows;
use copytrace::search::all_pairs::Clusters;
use hashbrown::HashTable;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::hash::{BuildHasher, RandomState};

/// Ids joined to clusters by pairs that come in tables. An id takes its own bytes and some thirty more, a pair nothing.
#[pyclass(module = "copytrace._native")]
pub struct Joined {
    ids: Ids,
    clusters: Clusters,
    /// The smallest id of a cluster, at the place of the one that stands for it; empty while pairs come.
    least: Vec<u32>,
}

/// Texts numbered in the order in which they come.
#[derive(Default)]
struct Ids {
    text: String,
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Ids {
    fn number(&mut self, id: &str) -> Result<u32, Failure> {
        let Ids { text, ends, numbers, hasher } = self;
        let hash = hasher.hash_one(id);
        if let Some(&number) = numbers.find(hash, |&number| of(text, ends, number) == id) {
            return Ok(number);
        }
        let number = u32::try_from(ends.len()).map_err(|_| Failure::Value("more than 4 billion ids".to_owned()))?;
        text.push_str(id);
        ends.push(text.len());
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(of(text, ends, number)));
        Ok(number)
    }

    fn text(&self, number: u32) -> &str {
        of(&self.text, &self.ends, number)
    }
}

fn of<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    &text[number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]]
}

impl Joined {
    fn join_rows(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let (first, second) = (Column::of(batch, 0)?, Column::of(batch, 1)?);
        for row in 0..batch.num_rows() {
            let (first, second) = (self.number(first.text(row)?)?, self.number(second.text(row)?)?);
            self.clusters.join(first, second);
        }
        Ok(())
    }

    fn number(&mut self, id: &str) -> Result<u32, Failure> {
        let number = self.ids.number(id)?;
        if number as usize == self.clusters.documents() {
            self.clusters.add();
        }
        Ok(number)
    }

    fn look_for_the_least(&mut self) {
        let count = self.ids.ends.len() as u32;
        self.least = (0..count).collect();
        for number in 0..count {
            let head = self.clusters.representative(number) as usize;
            if self.ids.text(number) < self.ids.text(self.least[head]) {
                self.least[head] = number;
            }
        }
    }
}

/// A column of strings, by numbers of either size.
#[derive(Clone, Copy)]
enum Column<'a> {
    Short(&'a StringArray),
    Long(&'a LargeStringArray),
}

impl<'a> Column<'a> {
    fn of(batch: &'a RecordBatch, place: usize) -> Result<Self, Failure> {
        let column = batch.columns().get(place);
        let short = column.and_then(|column| column.as_string_opt()).map(Column::Short);
        let long = || column.and_then(|column| column.as_string_opt()).map(Column::Long);
        short.or_else(long).ok_or_else(|| Failure::Value("a pair is two columns of strings".to_owned()))
    }

    fn text(self, row: usize) -> Result<&'a str, Failure> {
        let text = match self {
            Column::Short(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Column::Long(texts) => texts.is_valid(row).then(|| texts.value(row)),
        };
        text.ok_or_else(|| Failure::Value("a pair has a null in the place of an id".to_owned()))
    }
}

#[pymethods]
impl Joined {
    /// No ids.
    #[new]
    fn new() -> Self {
        Joined { ids: Ids::default(), clusters: Clusters::new(0), least: Vec::new() }
    }

    /// Joins the two ids of each row.
    fn join(&mut self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<()> {
        let batches = stream::batches(pairs)?.ok_or_else(|| PyTypeError::new_err("expected a table"))?;
        self.least.clear();
        Ok(py.detach(|| batches.iter().try_for_each(|batch| self.join_rows(batch)))?)
    }

    fn __len__(&self) -> usize {
        self.ids.ends.len()
    }

    /// Some ids, in the order in which they came, each with its representative: the smallest id of its cluster.
    fn members(&mut self, py: Python<'_>, start: usize, count: usize) -> PyResult<Table> {
        let table = py.detach(|| {
            if self.least.is_empty() {
                self.look_for_the_least();
            }
            let end = start.saturating_add(count).min(self.ids.ends.len());
            let row = |number: usize| {
                let head = self.least[self.clusters.representative(number as u32) as usize];
                Rows::cluster(self.ids.text(head), self.ids.text(number as u32))
            };
            let rows: Vec<_> = (start..end).map(row).collect();
            Table::of(table::CLUSTERS, &rows)
        });
        Ok(table?)
    }
}
