//! MinHash under the names that datasketch gave it.

use crate::pairs::array;
use crate::work::Pickled;
use copytrace::sketch::minhash::Family;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rapidhash::v3::rapidhash_v3;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A MinHash signature (Broder 1997), with the names of `datasketch.MinHash`.
///
/// `num_perm` is the number of hash functions, 16 to 1024, and `seed` what they are drawn from. The values are 32-bit numbers of copytrace's
/// own functions: two signatures can be compared when both were made here with equal `num_perm` and `seed`, and
/// never with one of datasketch. Jaccard estimates have the same error, 1/√num_perm at most; of empty sets the estimate is 0
/// here and 1 there.
///
/// >>> from copytrace import MinHash
/// >>> a, b = MinHash(), MinHash()
/// >>> a.update_batch(word.encode() for word in "the tide leaves silt between the stems".split())
/// >>> b.update_batch(word.encode() for word in "the tide leaves silt between the reeds".split())
/// >>> 0.5 < a.jaccard(b) < 0.9
/// True
#[pyclass(module = "copytrace")]
pub struct MinHash {
    family: Arc<Family>,
    seed: u64,
    values: Vec<u32>,
}

/// The hash functions, drawn once for each size and seed.
fn family(num_perm: usize, seed: u64) -> PyResult<Arc<Family>> {
    type Drawn = HashMap<(usize, u64), Arc<Family>>;
    static DRAWN: Mutex<Option<Drawn>> = Mutex::new(None);
    if !Family::HASHES.contains(&num_perm) {
        return Err(PyValueError::new_err(format!("num_perm is {num_perm}: expected 16 to 1024")));
    }
    let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    let drawn = drawn.get_or_insert_default();
    Ok(drawn.entry((num_perm, seed)).or_insert_with(|| Arc::new(Family::new(num_perm, seed))).clone())
}

impl MinHash {
    /// The signature.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    fn take(&mut self, hashes: &[u32]) {
        let mut fresh = Vec::new();
        self.family.signature_into(hashes, &mut fresh);
        self.values.iter_mut().zip(fresh).for_each(|(value, new)| *value = (*value).min(new));
    }

    fn require_alike(&self, other: &MinHash) -> PyResult<()> {
        if (self.values.len(), self.seed) == (other.values.len(), other.seed) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "a MinHash with num_perm={}, seed={}: expected num_perm={}, seed={}",
            other.values.len(),
            other.seed,
            self.values.len(),
            self.seed
        )))
    }
}

/// The hash of an element.
fn hash(element: &Bound<'_, PyAny>, place: usize) -> PyResult<u32> {
    let bytes = element.cast::<PyBytes>();
    let bytes = bytes.map_err(|_| {
        let kind = element.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("element {place} is {kind}: expected bytes; encode strings"))
    })?;
    Ok(rapidhash_v3(bytes.as_bytes()) as u32)
}

#[pymethods]
impl MinHash {
    #[new]
    #[pyo3(signature = (num_perm=128, seed=1))]
    fn new(num_perm: usize, seed: u64) -> PyResult<Self> {
        Ok(MinHash { family: family(num_perm, seed)?, seed, values: vec![u32::MAX; num_perm] })
    }

    /// Adds an element, `bytes`.
    fn update(&mut self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let hash = hash(b, 0)?;
        self.take(&[hash]);
        Ok(())
    }

    /// Adds elements, each `bytes`; much faster than one by one.
    fn update_batch(&mut self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let hashes: Vec<u32> = b.try_iter()?.enumerate().map(|(place, b)| hash(&b?, place)).collect::<PyResult<_>>()?;
        self.take(&hashes);
        Ok(())
    }

    /// The estimated Jaccard similarity of the two sets, 0 to 1.
    fn jaccard(&self, other: &MinHash) -> PyResult<f64> {
        self.require_alike(other)?;
        Ok(Family::estimate(&self.values, &other.values))
    }

    /// The estimated number of different elements.
    fn count(&self) -> f64 {
        let sum: f64 = self.values.iter().map(|&value| f64::from(value) / f64::from(u32::MAX)).sum();
        self.values.len() as f64 / sum - 1.0
    }

    /// Makes this the signature of the union of the two sets.
    fn merge(&mut self, other: &MinHash) -> PyResult<()> {
        self.require_alike(other)?;
        self.values.iter_mut().zip(&other.values).for_each(|(value, &new)| *value = (*value).min(new));
        Ok(())
    }

    /// The signature of the union of several sets.
    #[staticmethod]
    #[pyo3(signature = (*mhs))]
    fn union(mhs: Vec<PyRef<'_, MinHash>>) -> PyResult<Self> {
        let [first, others @ ..] = mhs.as_slice() else {
            return Err(PyValueError::new_err("no MinHash: expected at least one"));
        };
        let mut union = first.copy();
        others.iter().try_for_each(|other| union.merge(other))?;
        Ok(union)
    }

    /// The signatures of several sets, each an iterable of `bytes`.
    #[staticmethod]
    #[pyo3(signature = (b, *, num_perm=128, seed=1))]
    fn bulk(b: &Bound<'_, PyAny>, num_perm: usize, seed: u64) -> PyResult<Vec<MinHash>> {
        let sign = |set: PyResult<Bound<'_, PyAny>>| {
            let mut signed = MinHash::new(num_perm, seed)?;
            signed.update_batch(&set?)?;
            Ok(signed)
        };
        b.try_iter()?.map(sign).collect()
    }

    /// The signature: a NumPy array of `num_perm` 32-bit numbers.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(&PyBytes::new(py, &self.values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>()), "<u4")
    }

    /// The same as `digest()`.
    #[getter]
    fn hashvalues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.digest(py)
    }

    /// The number of hash functions.
    #[getter]
    fn num_perm(&self) -> usize {
        self.values.len()
    }

    /// What the hash functions are drawn from.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether nothing was added.
    fn is_empty(&self) -> bool {
        Family::is_empty_set(&self.values)
    }

    /// Forgets all elements.
    fn clear(&mut self) {
        self.values.fill(u32::MAX);
    }

    /// Another one with the same elements.
    fn copy(&self) -> MinHash {
        MinHash { family: self.family.clone(), seed: self.seed, values: self.values.clone() }
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.extract::<PyRef<'_, MinHash>>() else { return false };
        self.seed == other.seed && self.values == other.values
    }

    fn __repr__(&self) -> String {
        format!("MinHash(num_perm={}, seed={})", self.values.len(), self.seed)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (u64, Vec<u32>)>> {
        let minhash = slf.borrow();
        Ok((slf.get_type().getattr("_restored")?, (minhash.seed, minhash.values.clone())))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(seed: u64, values: Vec<u32>) -> PyResult<Self> {
        Ok(MinHash { family: family(values.len(), seed)?, seed, values })
    }
}
