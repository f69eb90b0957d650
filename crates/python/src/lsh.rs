//! Banding under the names that datasketch gave it.

use crate::minhash::MinHash;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rapidhash::v3::rapidhash_v3;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// An index of MinHash signatures that finds those likely to be similar, with the names of `datasketch.MinHashLSH`.
///
/// A signature is a `MinHash` of copytrace, one of datasketch or rensa, or an array of `num_perm` integers; all in one index must
/// be of one kind, made with one seed. Its first b·r values are cut into `b` bands of `r`, and two signatures meet when any band is
/// equal. Without `params`, (b, r), these are chosen as datasketch does for `threshold` and `weights` (of false
/// positives and false negatives). With equal signatures and equal b and r a query finds what datasketch finds.
///
/// Examples
/// --------
/// >>> from copytrace import MinHash, MinHashLSH
/// >>> lsh = MinHashLSH(threshold=0.5)
/// >>> a = MinHash(); a.update_batch([b"tide", b"silt", b"reed"])
/// >>> lsh.insert("a", a)
/// >>> lsh.query(a), "a" in lsh
/// (['a'], True)
#[pyclass(module = "copytrace")]
pub struct MinHashLSH {
    bands: usize,
    rows: usize,
    num_perm: usize,
    threshold: f64,
    /// For each slot its key; none once it was removed.
    keys: Vec<Option<Py<PyAny>>>,
    /// For each slot the hashes of its bands.
    hashes: Vec<u64>,
    slots: Py<PyDict>,
    /// The slots by the hash of a band's number and values: 64 bits, which two bands share with a probability of 2⁻⁶⁴.
    buckets: Buckets,
    /// Who made the signatures, as far as they tell.
    maker: Option<String>,
}

/// Who made a signature, and from which seed: values of others cannot be compared with it. Bare arrays do not tell.
fn maker(minhash: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if !minhash.hasattr("hashvalues")? && !minhash.hasattr("digest")? {
        return Ok(None);
    }
    let module: String = minhash.get_type().getattr("__module__")?.extract()?;
    let library = module.split('.').next().unwrap_or_default();
    let seed = minhash.getattr("seed").map_or_else(|_| String::new(), |seed| format!(" with seed {seed}"));
    Ok(Some(format!("{library}{seed}")))
}

type Buckets = HashMap<u64, Vec<u32>, BuildHasherDefault<AsIs>>;

/// Keys of the map that are hashes already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The banding that datasketch chooses: of all with b·r ≤ `num_perm` that with the least weighted sum of the areas under the S-curve
/// below the threshold and over it above.
fn optimal(threshold: f64, num_perm: usize, weights: (f64, f64)) -> (usize, usize) {
    const STEPS: u32 = 512;
    // Simpson's rule.
    let area = |from: f64, to: f64, curve: &dyn Fn(f64) -> f64| {
        let step = (to - from) / f64::from(STEPS);
        let weight = |i: u32| if i == 0 || i == STEPS { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
        (0..=STEPS).map(|i| weight(i) * curve(from + f64::from(i) * step)).sum::<f64>() * step / 3.0
    };
    let (mut best, mut least) = ((1, 1), f64::INFINITY);
    for bands in 1..=num_perm {
        for rows in 1..=num_perm / bands {
            let meet = |s: f64| 1.0 - (1.0 - s.powi(rows as i32)).powi(bands as i32);
            let error = weights.0 * area(0.0, threshold, &meet) + weights.1 * area(threshold, 1.0, &|s| 1.0 - meet(s));
            if error < least {
                (best, least) = ((bands, rows), error);
            }
        }
    }
    best
}

/// The values of a buffer of integers, row by row, and how many rows it has.
fn buffered(object: &Bound<'_, PyAny>) -> PyResult<Option<(Vec<u64>, usize)>> {
    fn of<T: Element + Copy>(object: &Bound<'_, PyAny>, widen: fn(T) -> u64) -> Option<PyResult<(Vec<u64>, usize)>> {
        let buffer = PyBuffer::<T>::get(object).ok()?;
        let rows = if buffer.dimensions() == 2 { buffer.shape()[0] } else { 1 };
        Some(buffer.to_vec(object.py()).map(|values| (values.into_iter().map(widen).collect(), rows)))
    }
    of::<u32>(object, u64::from)
        .or_else(|| of::<u64>(object, |value| value))
        .or_else(|| of::<i64>(object, |value| value as u64))
        .transpose()
}

impl MinHashLSH {
    /// The hashes of a signature's bands.
    fn bands(&self, values: &[u64], hashes: &mut Vec<u64>) {
        let mut bytes = Vec::with_capacity(8 * (self.rows + 1));
        for (band, values) in values.chunks_exact(self.rows).take(self.bands).enumerate() {
            bytes.clear();
            bytes.extend((band as u64).to_le_bytes());
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            hashes.push(rapidhash_v3(&bytes));
        }
    }

    /// The values of a signature of any make.
    fn signature(&self, minhash: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        let values: Vec<u64> = if let Ok(ours) = minhash.cast::<MinHash>() {
            ours.borrow().values().iter().map(|&value| u64::from(value)).collect()
        } else {
            let values = minhash.getattr("hashvalues").or_else(|_| minhash.call_method0("digest"));
            let values = values.unwrap_or_else(|_| minhash.clone());
            match buffered(&values)? {
                Some((values, _)) => values,
                None => values.extract().map_err(|_| {
                    PyTypeError::new_err(
                        "the signature: expected a MinHash, or an array of integers from 0 to 2**64 - 1",
                    )
                })?,
            }
        };
        if values.len() != self.num_perm {
            return Err(PyValueError::new_err(format!(
                "a signature of {} values: expected {}, as num_perm says",
                values.len(),
                self.num_perm
            )));
        }
        Ok(values)
    }

    /// Refuses a signature that others made than those here; gives who made these together with it.
    fn require_alike(&self, minhash: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let kept = self.maker.clone().filter(|_| !self.slots.bind(minhash.py()).is_empty());
        match (kept, maker(minhash)?) {
            (Some(kept), Some(given)) if kept != given => Err(PyValueError::new_err(format!(
                "the signature is of {given}: expected one of {kept}, as this index holds; their values cannot be compared"
            ))),
            (kept, given) => Ok(kept.or(given)),
        }
    }

    fn insert_values(&mut self, key: &Bound<'_, PyAny>, values: &[u64], check_duplication: bool) -> PyResult<()> {
        let mut hashes = Vec::with_capacity(self.bands);
        self.bands(values, &mut hashes);
        self.insert_hashes(key, hashes, check_duplication)
    }

    fn insert_hashes(&mut self, key: &Bound<'_, PyAny>, hashes: Vec<u64>, check_duplication: bool) -> PyResult<()> {
        let slots = self.slots.bind(key.py()).clone();
        if let Some(slot) = slots.get_item(key)? {
            if check_duplication {
                return Err(PyValueError::new_err(format!("the key {} is there already", key.repr()?)));
            }
            self.forget(slot.extract()?);
        }
        let slot = u32::try_from(self.keys.len()).map_err(|_| PyValueError::new_err("more than 2**32 signatures"))?;
        slots.set_item(key, slot)?;
        self.keys.push(Some(key.clone().unbind()));
        hashes.iter().for_each(|&hash| self.buckets.entry(hash).or_default().push(slot));
        self.hashes.extend(hashes);
        Ok(())
    }

    /// Takes a slot out of its buckets.
    fn forget(&mut self, slot: u32) {
        let from = slot as usize * self.bands;
        for hash in &self.hashes[from..from + self.bands] {
            if let Some(bucket) = self.buckets.get_mut(hash) {
                bucket.retain(|&other| other != slot);
                if bucket.is_empty() {
                    self.buckets.remove(hash);
                }
            }
        }
        self.keys[slot as usize] = None;
    }
}

#[pymethods]
impl MinHashLSH {
    #[new]
    #[pyo3(signature = (threshold=0.9, num_perm=128, weights=(0.5, 0.5), params=None, storage_config=None))]
    #[pyo3(text_signature = "(threshold=0.9, num_perm=128, weights=(0.5, 0.5), params=None, storage_config=None)")]
    fn new(
        py: Python<'_>,
        threshold: f64,
        num_perm: usize,
        weights: (f64, f64),
        params: Option<(usize, usize)>,
        storage_config: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let storage = storage_config.map(|config| config.get_item("type")).transpose()?.flatten();
        if let Some(other) = storage.filter(|kind| kind.eq("dict").is_ok_and(|memory| !memory)) {
            return Err(PyValueError::new_err(format!(
                "storage_config of type {}: this index lives in memory; copytrace.Index keeps documents on the disk",
                other.repr()?
            )));
        }
        if !(0.0..=1.0).contains(&threshold) {
            return Err(PyValueError::new_err(format!("threshold is {threshold}: expected 0 to 1")));
        }
        if num_perm < 2 {
            return Err(PyValueError::new_err(format!("num_perm is {num_perm}: expected at least 2")));
        }
        let (bands, rows) = match params {
            Some((b, r)) if b == 0 || r == 0 || b.checked_mul(r).is_none_or(|values| values > num_perm) => {
                return Err(PyValueError::new_err(format!(
                    "params is ({b}, {r}): expected two numbers from 1 on whose product is at most {num_perm}"
                )));
            }
            Some(params) => params,
            None => py.detach(|| optimal(threshold, num_perm, weights)),
        };
        Ok(MinHashLSH {
            bands,
            rows,
            num_perm,
            threshold,
            keys: Vec::new(),
            hashes: Vec::new(),
            slots: PyDict::new(py).unbind(),
            buckets: Buckets::default(),
            maker: None,
        })
    }

    /// The number of bands.
    #[getter]
    fn b(&self) -> usize {
        self.bands
    }

    /// The values in a band.
    #[getter]
    fn r(&self) -> usize {
        self.rows
    }

    /// The values in a signature.
    #[getter]
    fn h(&self) -> usize {
        self.num_perm
    }

    /// The Jaccard similarity that the banding was chosen for.
    #[getter]
    fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Adds a signature under a key, which any dictionary could have.
    ///
    /// Raises `ValueError` when the key is there already, unless `check_duplication` is false: then the new signature takes its place.
    #[pyo3(signature = (key, minhash, check_duplication=true))]
    fn insert(&mut self, key: &Bound<'_, PyAny>, minhash: &Bound<'_, PyAny>, check_duplication: bool) -> PyResult<()> {
        let values = self.signature(minhash)?;
        let made_by = self.require_alike(minhash)?;
        self.insert_values(key, &values, check_duplication)?;
        self.maker = made_by;
        Ok(())
    }

    /// Adds the rows of an array of integers of the shape (keys, `num_perm`).
    fn insert_many(&mut self, keys: Vec<Bound<'_, PyAny>>, signatures: &Bound<'_, PyAny>) -> PyResult<()> {
        let wrong = || {
            PyValueError::new_err(format!(
                "the signatures: expected an array of integers of the shape ({}, {})",
                keys.len(),
                self.num_perm
            ))
        };
        let (values, rows) = buffered(signatures)?.ok_or_else(wrong)?;
        if rows != keys.len() || values.len() != keys.len() * self.num_perm {
            return Err(wrong());
        }
        let pairs = keys.iter().zip(values.chunks_exact(self.num_perm));
        pairs.into_iter().try_for_each(|(key, values)| self.insert_values(key, values, true))
    }

    /// The keys of the signatures that share a band with this one, in the order in which they were inserted.
    fn query<'py>(&self, py: Python<'py>, minhash: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let mut hashes = Vec::with_capacity(self.bands);
        self.bands(&self.signature(minhash)?, &mut hashes);
        self.require_alike(minhash)?;
        let mut slots: Vec<u32> =
            hashes.iter().flat_map(|hash| self.buckets.get(hash).into_iter().flatten()).copied().collect();
        slots.sort_unstable();
        slots.dedup();
        PyList::new(py, slots.iter().filter_map(|&slot| self.keys[slot as usize].as_ref()).collect::<Vec<_>>())
    }

    /// Removes a key. Raises `ValueError` when it is not there, as datasketch does.
    fn remove(&mut self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let slots = self.slots.bind(key.py()).clone();
        let slot = slots.get_item(key)?.ok_or_else(|| {
            let shown = key.repr().map_or_else(|_| "given".to_owned(), |shown| shown.to_string());
            PyValueError::new_err(format!("the key {shown} does not exist"))
        })?;
        slots.del_item(key)?;
        self.forget(slot.extract()?);
        Ok(())
    }

    /// Adds the signatures of another index, whose bands must be as these.
    ///
    /// Raises `ValueError` when they are not, or with `check_overlap` when a key is in both; without, the other's takes its place.
    #[pyo3(signature = (other, check_overlap=false))]
    fn merge(&mut self, py: Python<'_>, other: &Bound<'_, Self>, check_overlap: bool) -> PyResult<()> {
        let other = other.try_borrow().map_err(|_| PyValueError::new_err("an index is not merged with itself"))?;
        if (self.num_perm, self.bands, self.rows) != (other.num_perm, other.bands, other.rows) {
            return Err(PyValueError::new_err("the indexes have different bands: expected equal num_perm, b and r"));
        }
        if let (Some(ours), Some(theirs)) = (&self.maker, &other.maker)
            && ours != theirs
        {
            return Err(PyValueError::new_err(format!("signatures of {theirs}: expected those of {ours}")));
        }
        let slots = self.slots.bind(py).clone();
        for key in other.keys.iter().flatten().filter(|_| check_overlap) {
            if slots.contains(key)? {
                return Err(PyValueError::new_err(format!("the key {} is in both", key.bind(py).repr()?)));
            }
        }
        for (slot, key) in other.keys.iter().enumerate() {
            if let Some(key) = key {
                self.insert_hashes(key.bind(py), other.hashes[slot * other.bands..][..other.bands].to_vec(), false)?;
            }
        }
        self.maker = self.maker.take().or_else(|| other.maker.clone());
        Ok(())
    }

    /// Whether there is no signature.
    fn is_empty(&self, py: Python<'_>) -> bool {
        self.slots.bind(py).is_empty()
    }

    /// For scripts that insert many signatures in a `with` block: the index itself, which needs no buffer.
    #[pyo3(signature = (buffer_size=50000))]
    fn insertion_session(slf: Py<Self>, buffer_size: usize) -> Py<Self> {
        let _ = buffer_size;
        slf
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {}

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.slots.bind(key.py()).contains(key)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.slots.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<copytrace.MinHashLSH of {} signatures, b={}, r={}>", self.__len__(py), self.bands, self.rows)
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (f64, usize, (usize, usize), Bound<'py, PyList>, Vec<u64>, Option<String>))> {
        let (py, lsh) = (slf.py(), slf.borrow());
        let keys = PyList::empty(py);
        let mut hashes = Vec::new();
        for (slot, key) in lsh.keys.iter().enumerate() {
            if let Some(key) = key {
                keys.append(key)?;
                hashes.extend_from_slice(&lsh.hashes[slot * lsh.bands..][..lsh.bands]);
            }
        }
        let restore = slf.get_type().getattr("_restored")?;
        Ok((restore, (lsh.threshold, lsh.num_perm, (lsh.bands, lsh.rows), keys, hashes, lsh.maker.clone())))
    }

    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of_pickle(
        threshold: f64,
        num_perm: usize,
        params: (usize, usize),
        keys: &Bound<'_, PyList>,
        hashes: Vec<u64>,
        maker: Option<String>,
    ) -> PyResult<Self> {
        let py = keys.py();
        let mut lsh = MinHashLSH::new(py, threshold, num_perm, (0.5, 0.5), Some(params), None)?;
        if hashes.len() != keys.len() * lsh.bands {
            return Err(PyValueError::new_err("a damaged pickle of a MinHashLSH"));
        }
        for (slot, (key, hashes)) in (0..).zip(keys.iter().zip(hashes.chunks_exact(lsh.bands))) {
            lsh.slots.bind(py).set_item(&key, slot)?;
            lsh.keys.push(Some(key.unbind()));
            hashes.iter().for_each(|&hash| lsh.buckets.entry(hash).or_default().push(slot));
        }
        (lsh.hashes, lsh.maker) = (hashes, maker);
        Ok(lsh)
    }
}
