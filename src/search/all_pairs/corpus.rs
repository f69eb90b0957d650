//! The documents that inputs hold, made ready for finding their pairs: two passes, each in parallel.

use super::PairsError;
use super::buckets::{Buckets, entry};
use super::documents::DistinctDocuments;
use super::join::Join;
use super::profiles::ProfilesBuilder;
use crate::formats::input::{Input, Inputs, RawDocument, ReadError, ReadLimits};
use crate::search::Profile;
use crate::settings::{Settings, SketchSettings};
use crate::sketch::analysers::TooShort;
use crate::sketch::pool::Pool;
use crate::sketch::signer::Signer;
use crate::sketch::unread::{Reason, Unread};
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use rayon::prelude::*;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Documents in a batch at most.
const BATCH_DOCUMENTS: usize = 1024;
/// Bytes of a batch's documents from which on it takes no more.
const BATCH_BYTES: u64 = 2 << 20;

/// Memory that is used however few documents there are: three batches, tables of the text steps, dictionaries.
const FIXED: u64 = 100_000_000;

/// No document.
const NONE: u32 = u32::MAX;

/// Hears of what happens while a corpus is read, on any thread.
pub trait Watcher: Sync {
    /// `documents` more were read. Called for both passes; the second reads fewer.
    fn read(&self, documents: usize);
    /// A document is missing from the results.
    fn failed(&self, unread: &Unread);
    /// `files` were passed over, because nothing is known of their kinds. Called when all were read.
    fn passed_over(&self, files: u64);
}

/// What inputs hold. It can be read several times.
pub struct Corpus {
    inputs: Vec<Input>,
    limits: ReadLimits,
}

impl Corpus {
    /// The documents of the inputs. Readers are read to their ends now, because that is possible only once.
    ///
    /// # Errors
    /// When a reader fails.
    pub fn open(inputs: impl IntoIterator<Item = Input>, limits: ReadLimits) -> Result<Self, PairsError> {
        let kept = |input: Input| input.kept(limits.file_bytes).map_err(PairsError::Reader);
        Ok(Corpus { inputs: inputs.into_iter().map(kept).collect::<Result<_, _>>()?, limits })
    }

    fn inputs(&self) -> Inputs {
        Inputs::new(self.inputs.iter().map(Input::again), self.limits.clone())
    }

    pub(super) fn limits(&self) -> &ReadLimits {
        &self.limits
    }

    /// How many inputs there are, those that cannot be read among them.
    pub(super) fn count(&self) -> u64 {
        let mut inputs = self.inputs();
        let mut count = 0;
        while inputs.pass_over() {
            count += 1;
        }
        count
    }

    /// Reads the documents, signs them and sorts them into buckets; then reads those that share one again. Documents that
    /// cannot be read or compared are told to `watcher`.
    ///
    /// Up to `memory` bytes are used. What does not fit of the second pass goes to a temporary file; the first pass needs
    /// some hundred bytes for each document.
    ///
    /// # Errors
    /// When that does not fit, the corpus changes meanwhile, or the temporary file cannot be written.
    pub fn prepare(&self, settings: &Settings, memory: u64, watcher: &impl Watcher) -> Result<Join, PairsError> {
        let signers = Signers::new(&settings.sketch);
        let mut signed = self.sign(&signers, memory, watcher)?;
        let needed = signed.memory();
        let bands = settings.sketch.banding.bands as usize;

        let order = signed.order(watcher);
        let contents: Vec<u128> = order.iter().map(|&signature| signed.contents[signature as usize]).collect();
        let ids = order.iter().map(|&signature| std::mem::take(&mut signed.ids[signature as usize])).collect();
        let documents = DistinctDocuments::collapsed(ids, &contents);
        let buckets = Buckets::of_bands(documents.len(), bands, |band| {
            let originals = order.iter().zip(0..).filter(|&(_, document)| documents.original(document) == document);
            originals.map(|(&signature, document)| entry(signed.bands[band][signature as usize], document)).collect()
        });

        let mut wanted = vec![NONE; signed.inputs as usize];
        for (&signature, document) in order.iter().zip(0..) {
            if buckets.has_company(document) {
                wanted[signed.inputs_of[signature as usize] as usize] = document;
            }
        }
        drop(signed);
        let budget = memory.saturating_sub(needed);
        let mut profiles = ProfilesBuilder::new(documents.len(), settings.sketch.hashes as usize, budget);
        let wanted_of = |input: u32| wanted.get(input as usize).copied().unwrap_or(NONE);
        let mut missing = wanted.iter().filter(|&&document| document != NONE).count();
        self.for_each_batch(
            |input| wanted_of(input) != NONE,
            |batch| signers.profile(batch, &self.limits),
            |profiled: Vec<(u32, Option<(u128, Profile)>)>| {
                watcher.read(profiled.len());
                missing -= profiled.len();
                for (input, profile) in profiled {
                    let document = wanted_of(input);
                    let changed = || PairsError::Changed { id: documents.id(document).to_owned() };
                    let (content, profile) = profile.ok_or_else(changed)?;
                    if content != contents[document as usize] {
                        return Err(changed());
                    }
                    profiles.keep(document, profile.view())?;
                }
                Ok(())
            },
        )?;
        if missing > 0 {
            return Err(PairsError::Changed { id: format!("{missing} documents") });
        }
        let total = documents.len();
        Ok(Join {
            documents,
            total,
            buckets,
            profiles: profiles.finish()?,
            settings: *settings,
            wanted: Vec::new(),
            wanted_texts: Vec::new(),
            cancel: self.limits.cancel.clone(),
        })
    }

    /// The first pass.
    fn sign(&self, signers: &Signers, memory: u64, watcher: &impl Watcher) -> Result<Signed, PairsError> {
        let bands = signers.settings.banding.bands as usize;
        let mut signed = Signed { bands: vec![Vec::new(); bands], ..Signed::default() };
        let mut too_many = false;
        let skipped = self.for_each_batch(
            |_| true,
            |batch| signers.sign(batch, &self.limits),
            |(documents, keys): (Vec<(u32, SignedDocument)>, Vec<u32>)| {
                watcher.read(documents.len());
                for ((input, document), keys) in documents.into_iter().zip(keys.chunks_exact(bands)) {
                    signed.inputs = input + 1;
                    match document {
                        Ok((id, content)) => signed.push(input, id, content, keys, too_many),
                        Err(unread) => watcher.failed(&unread),
                    }
                }
                // The rest is counted only, to tell what would be needed.
                too_many |= signed.memory() > memory;
                if too_many {
                    signed.forget();
                }
                Ok(())
            },
        )?;
        if too_many {
            let (given, needed) = (memory, signed.memory());
            return Err(PairsError::TooLittleMemory { given, needed, documents: signed.count });
        }
        if skipped > 0 {
            watcher.passed_over(skipped);
        }
        Ok(signed)
    }

    /// Reads the inputs that are wanted by number, works on a batch by all threads, and hands on what comes of it in the
    /// order of the inputs. Meanwhile one of the threads hands on the batch before and reads the one behind, so that none
    /// waits. Gives how many files were passed over.
    pub(super) fn for_each_batch<T: Send>(
        &self,
        wanted: impl Fn(u32) -> bool + Sync,
        work: impl Fn(Batch) -> T + Sync,
        mut sink: impl FnMut(T) -> Result<(), PairsError> + Send,
    ) -> Result<u64, PairsError> {
        let mut reader = DocumentReader { inputs: self.inputs(), number: 0 };
        let mut batch = reader.batch(&wanted);
        let mut done = None;
        while !batch.is_empty() {
            self.limits.cancel.check()?;
            let hand_on_and_read = || -> Result<Batch, PairsError> {
                done.take().map_or(Ok(()), &mut sink)?;
                Ok(reader.batch(&wanted))
            };
            let (worked, next) = rayon::join(|| work(batch), hand_on_and_read);
            batch = next?;
            done = Some(worked);
        }
        done.map_or(Ok(()), &mut sink)?;
        Ok(reader.inputs.skipped())
    }
}

/// Inputs with their numbers.
pub(super) type Batch = Vec<(u32, Result<RawDocument, ReadError>)>;

/// Numbers the inputs.
struct DocumentReader {
    inputs: Inputs,
    number: u32,
}

impl DocumentReader {
    /// The next inputs that are wanted; none at the end.
    fn batch(&mut self, wanted: impl Fn(u32) -> bool) -> Batch {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < BATCH_DOCUMENTS && bytes < BATCH_BYTES {
            if wanted(self.number) {
                let Some(input) = self.inputs.next() else { break };
                bytes += input.as_ref().map_or(0, RawDocument::approximate_bytes);
                batch.push((self.number, input));
            } else if !self.inputs.pass_over() {
                break;
            }
            self.number += 1;
        }
        batch
    }
}

/// A signed document's id and the hash of its normalised text; or the message that tells why there is none.
type SignedDocument = Result<(String, u128), Unread>;

/// Signers for all threads, and what they need to know.
pub(super) struct Signers {
    settings: SketchSettings,
    idle: Pool<Signer>,
    /// Drawn anew for each run, so that no text can be made to look like another one's copy.
    secrets: [RapidSecrets; 2],
}

impl Signers {
    pub(super) fn new(settings: &SketchSettings) -> Self {
        let secrets = || RapidSecrets::seed(RandomState::new().build_hasher().finish());
        Signers { settings: *settings, idle: Pool::default(), secrets: [secrets(), secrets()] }
    }

    /// Signs a batch. The keys of all bands of a document, or as many zeros, follow those of the document before.
    fn sign(&self, batch: Batch, limits: &ReadLimits) -> (Vec<(u32, SignedDocument)>, Vec<u32>) {
        let bands = self.settings.banding.bands as usize;
        let mut keys = vec![0; batch.len() * bands];
        let sign = |((number, input), keys): ((u32, Result<RawDocument, ReadError>), &mut [u32])| {
            let signed = match input.and_then(|raw| raw.extract(limits)) {
                Ok(document) => {
                    let content = self.with_signer(|signer| Some(self.content(signer.sign(&document.text, keys)?)));
                    let too_short = || Unread::new(&document.id, TooShort(self.settings.shingling));
                    content.ok_or_else(too_short).map(|content| (document.id, content))
                }
                Err(error) => Err(Unread::new(error.id(), error.reason().clone())),
            };
            (number, signed)
        };
        let documents = batch.into_par_iter().zip(keys.par_chunks_exact_mut(bands)).with_min_len(16);
        let documents = documents.map(sign).collect();
        (documents, keys)
    }

    /// Makes the profiles of a batch, with the hash of the normalised text; none where there is no text any more.
    pub(super) fn profile(&self, batch: Batch, limits: &ReadLimits) -> Vec<(u32, Option<(u128, Profile)>)> {
        let profile = |(number, input): (u32, Result<RawDocument, ReadError>)| {
            let document = input.and_then(|raw| raw.extract(limits)).ok();
            let of_text = |signer: &mut Signer, text: &str| {
                let (normalised, profile) = signer.profile(text);
                (self.content(normalised), profile)
            };
            (number, document.map(|document| self.with_signer(|signer| of_text(signer, &document.text))))
        };
        batch.into_par_iter().with_min_len(16).map(profile).collect()
    }

    fn with_signer<R>(&self, work: impl FnOnce(&mut Signer) -> R) -> R {
        self.idle.with(|| Signer::new(&self.settings), work)
    }

    /// 128 bits that two different texts share with a probability of 2⁻¹²⁸.
    fn content(&self, normalised: &str) -> u128 {
        let [high, low] = &self.secrets;
        let hash = |secrets| u128::from(rapidhash_v3_seeded(normalised.as_bytes(), secrets));
        hash(high) << 64 | hash(low)
    }
}

/// What the first pass gives, as parallel arrays: of each signed document, in the order of the inputs, ...
#[derive(Default)]
struct Signed {
    /// ... its id,
    ids: Vec<String>,
    /// ... the number of its input,
    inputs_of: Vec<u32>,
    /// ... the hash of its normalised text,
    contents: Vec<u128>,
    /// ... and for each band its key.
    bands: Vec<Vec<u32>>,
    /// How many there are; the arrays are empty once there were too many of them.
    count: u64,
    /// Bytes of all ids.
    id_bytes: u64,
    /// How many inputs there were.
    inputs: u32,
}

impl Signed {
    fn push(&mut self, input: u32, id: String, content: u128, keys: &[u32], count_only: bool) {
        self.count += 1;
        self.id_bytes += id.len() as u64;
        if count_only {
            return;
        }
        self.ids.push(id);
        self.inputs_of.push(input);
        self.contents.push(content);
        self.bands.iter_mut().zip(keys).for_each(|(band, &key)| band.push(key));
    }

    fn forget(&mut self) {
        let bands = vec![Vec::new(); self.bands.len()];
        let (count, id_bytes, inputs) = (self.count, self.id_bytes, self.inputs);
        *self = Signed { bands, count, id_bytes, inputs, ..Signed::default() };
    }

    /// Bytes needed for all documents up to the buckets, if each of them shares all of its buckets with another.
    fn memory(&self) -> u64 {
        let bands = self.bands.len() as u64;
        let threads = rayon::current_num_threads() as u64;
        // The id twice, the arrays here, ranks, originals, places of profiles; keys and both sides of the buckets; the band
        // at hand of each thread, before and after it is parted.
        let of_document = 2 * 24 + 4 + 2 * 16 + 4 + 4 + 24 + 8 + 12 * bands + 16 * threads;
        FIXED + 2 * self.id_bytes + self.count * of_document
    }

    /// The documents in the order of their ids. Of several with one id the first input counts, and the others are told.
    fn order(&self, watcher: &impl Watcher) -> Vec<u32> {
        let id = |document: u32| self.ids[document as usize].as_str();
        let mut order: Vec<u32> = (0..self.ids.len() as u32).collect();
        order.par_sort_unstable_by(|&a, &b| id(a).cmp(id(b)).then(a.cmp(&b)));
        let mut later = Vec::new();
        order.dedup_by(|&mut b, &mut a| {
            let same = id(a) == id(b);
            if same {
                later.push(b);
            }
            same
        });
        later.sort_unstable();
        for document in later {
            watcher.failed(&Unread::new(id(document), Reason::RepeatedDocument));
        }
        order
    }
}
