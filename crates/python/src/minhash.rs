//! MinHash under the names that datasketch gave it.

use crate::arrays::array;
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
/// The values are 32-bit numbers of copytrace's own functions: two signatures can be compared when both were made here with equal
/// `num_perm` and `seed`, and never with one of datasketch. Jaccard estimates have the same error, 1/√num_perm at most; of empty sets
/// the estimate is 0 here and 1 there.
///
/// Parameters
/// ----------
/// num_perm : int
///     Hash functions, 1 to 1024.
/// seed : int
///     What they are drawn from.
/// hashfunc : callable, optional
///     Makes a whole number from 0 to 2**64 - 1 of an element, which then need not be `bytes`.
/// hashvalues : iterable of int, optional
///     The values of another signature, which this one begins with.
///
/// Examples
/// --------
/// >>> from copytrace import MinHash
/// >>> a, b = MinHash(), MinHash()
/// >>> a.update_batch(word.encode() for word in "the tide leaves silt between the stems".split())
/// >>> b.update_batch(word.encode() for word in "the tide leaves silt between the reeds".split())
/// >>> 0.5 < a.jaccard(b) < 0.9
/// True
#[pyclass(module = "copytrace", subclass)]
pub struct MinHash {
    family: Arc<Family>,
    seed: u64,
    values: Vec<u32>,
    hashfunc: Option<Py<PyAny>>,
}

/// The hash functions, drawn once for each size and seed.
fn family(num_perm: usize, seed: u64) -> PyResult<Arc<Family>> {
    type Drawn = HashMap<(usize, u64), Arc<Family>>;
    static DRAWN: Mutex<Option<Drawn>> = Mutex::new(None);
    // Of a family of the smallest size the first functions are used.
    if !(1..=*Family::HASHES.end()).contains(&num_perm) {
        return Err(PyValueError::new_err(format!("num_perm is {num_perm}: expected 1 to 1024")));
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
fn hash(element: &Bound<'_, PyAny>, place: usize, hashfunc: Option<&Py<PyAny>>) -> PyResult<u32> {
    if let Some(hashfunc) = hashfunc {
        let made = hashfunc.bind(element.py()).call1((element,))?;
        let wide: u64 = made.extract().map_err(|_| {
            let shown = made.repr().map_or_else(|_| "something else".to_owned(), |shown| shown.to_string());
            PyTypeError::new_err(format!("hashfunc gave {shown}: expected a whole number from 0 to 2**64 - 1"))
        })?;
        // A number of 32 bits stays what it is.
        return Ok((wide >> 32) as u32 ^ wide as u32);
    }
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
    #[pyo3(signature = (num_perm=128, seed=1, hashfunc=None, *, hashvalues=None))]
    fn new(
        num_perm: usize,
        seed: u64,
        hashfunc: Option<Bound<'_, PyAny>>,
        hashvalues: Option<Vec<u32>>,
    ) -> PyResult<Self> {
        if let Some(other) = hashfunc.as_ref().filter(|hashfunc| !hashfunc.is_callable()) {
            return Err(PyValueError::new_err(format!("hashfunc is {}: expected a callable", other.repr()?)));
        }
        let values = hashvalues.unwrap_or_else(|| vec![u32::MAX; num_perm]);
        Ok(MinHash { family: family(values.len(), seed)?, seed, values, hashfunc: hashfunc.map(Bound::unbind) })
    }

    /// Adds an element: `bytes`, or what `hashfunc` takes.
    fn update(&mut self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let hash = hash(b, 0, self.hashfunc.as_ref())?;
        self.take(&[hash]);
        Ok(())
    }

    /// Adds elements, each `bytes` or what `hashfunc` takes; much faster than one by one.
    fn update_batch(&mut self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let hash = |(place, b): (usize, PyResult<Bound<'_, PyAny>>)| hash(&b?, place, self.hashfunc.as_ref());
        let hashes: Vec<u32> = b.try_iter()?.enumerate().map(hash).collect::<PyResult<_>>()?;
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
    fn union(py: Python<'_>, mhs: Vec<PyRef<'_, MinHash>>) -> PyResult<Self> {
        let [first, others @ ..] = mhs.as_slice() else {
            return Err(PyValueError::new_err("no MinHash: expected at least one"));
        };
        let mut union = first.copy(py);
        others.iter().try_for_each(|other| union.merge(other))?;
        Ok(union)
    }

    /// The signatures of several sets, each an iterable of elements.
    #[staticmethod]
    #[pyo3(signature = (b, *, num_perm=128, seed=1, hashfunc=None))]
    fn bulk(
        b: &Bound<'_, PyAny>,
        num_perm: usize,
        seed: u64,
        hashfunc: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<MinHash>> {
        let sign = |set: PyResult<Bound<'_, PyAny>>| {
            let mut signed = MinHash::new(num_perm, seed, hashfunc.clone(), None)?;
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
    fn copy(&self, py: Python<'_>) -> MinHash {
        let hashfunc = self.hashfunc.as_ref().map(|hashfunc| hashfunc.clone_ref(py));
        MinHash { family: self.family.clone(), seed: self.seed, values: self.values.clone(), hashfunc }
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

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Pickled<'py, (usize, u64, Option<Bound<'py, PyAny>>, Vec<u32>)>> {
        let minhash = slf.borrow();
        let hashfunc = minhash.hashfunc.as_ref().map(|hashfunc| hashfunc.bind(slf.py()).clone());
        let restored = slf.get_type().getattr("_restored")?;
        Ok((restored, (minhash.values.len(), minhash.seed, hashfunc, minhash.values.clone())))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(num_perm: usize, seed: u64, hashfunc: Option<Bound<'_, PyAny>>, values: Vec<u32>) -> PyResult<Self> {
        MinHash::new(num_perm, seed, hashfunc, Some(values))
    }
}
