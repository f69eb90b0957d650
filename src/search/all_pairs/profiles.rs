//! The profiles of the documents that have candidates, in memory as far as it is allowed and else in a temporary file.

use super::PairsError;
use crate::hamming::memory_map;
use crate::search::ProfileView;
use memmap2::Mmap;
use std::fs::File;
use std::io::{BufWriter, Write};

/// Profiles by document.
#[derive(Debug)]
pub(super) struct Profiles {
    /// The length of a signature.
    hashes: usize,
    places: Vec<RowPlace>,
    file: Option<Mmap>,
}

/// Where a profile is. It is a row of numbers: the fingerprint's two halves, the signature, the shingles.
#[derive(Debug, Clone)]
enum RowPlace {
    Nowhere,
    Memory(Box<[u32]>),
    /// The first number and how many.
    File(usize, usize),
}

/// Numbers before the signature.
const FINGERPRINT: usize = 2;

impl Profiles {
    /// The profile of a document; one without shingles, which resembles nothing, if none was kept.
    pub(super) fn get(&self, document: u32) -> ProfileView<'_> {
        let row: &[u32] = match &self.places[document as usize] {
            RowPlace::Nowhere => &[],
            RowPlace::Memory(row) => row,
            RowPlace::File(first, numbers) => self.file_numbers().get(*first..first + numbers).unwrap_or_default(),
        };
        let Some((&[low, high], rest)) = row.split_first_chunk::<FINGERPRINT>() else {
            return ProfileView { shingles: &[], signature: &[], fingerprint: 0 };
        };
        let (signature, shingles) = rest.split_at(self.hashes.min(rest.len()));
        ProfileView { shingles, signature, fingerprint: u64::from(high) << 32 | u64::from(low) }
    }

    fn file_numbers(&self) -> &[u32] {
        memory_map::as_numbers(self.file.as_deref().unwrap_or_default())
    }
}

/// Collects profiles.
#[derive(Debug)]
pub(super) struct ProfilesBuilder {
    profiles: Profiles,
    /// Bytes that may still be used.
    budget: usize,
    file: Option<BufWriter<File>>,
    /// Numbers written to the file.
    written: usize,
}

impl ProfilesBuilder {
    /// Room for `documents` documents, in `budget` bytes of memory.
    pub(super) fn new(documents: usize, hashes: usize, budget: u64) -> Self {
        ProfilesBuilder {
            profiles: Profiles { hashes, places: vec![RowPlace::Nowhere; documents], file: None },
            budget: usize::try_from(budget).unwrap_or(usize::MAX),
            file: None,
            written: 0,
        }
    }

    /// Keeps a profile.
    pub(super) fn keep(&mut self, document: u32, profile: ProfileView) -> Result<(), PairsError> {
        let fingerprint = [profile.fingerprint as u32, (profile.fingerprint >> 32) as u32];
        let row = [&fingerprint, profile.signature, profile.shingles].concat();
        let bytes = size_of_val(row.as_slice());
        self.profiles.places[document as usize] = if bytes <= self.budget {
            self.budget -= bytes;
            RowPlace::Memory(row.into_boxed_slice())
        } else {
            let place = RowPlace::File(self.written, row.len());
            self.write(&row).map_err(PairsError::TemporaryFile)?;
            place
        };
        Ok(())
    }

    fn write(&mut self, row: &[u32]) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::with_capacity(1 << 18, tempfile::tempfile()?)),
        };
        self.written += row.len();
        row.iter().try_for_each(|number| file.write_all(&number.to_ne_bytes()))
    }

    /// The profiles kept.
    pub(super) fn finish(self) -> Result<Profiles, PairsError> {
        let mut profiles = self.profiles;
        if let Some(file) = self.file {
            let file = file.into_inner().map_err(|error| PairsError::TemporaryFile(error.into_error()))?;
            profiles.file = Some(memory_map::map(&file).map_err(PairsError::TemporaryFile)?);
        }
        Ok(profiles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_come_back_from_memory_and_from_the_file() {
        let rows: Vec<(Vec<u32>, Vec<u32>, u64)> =
            (0..50u32).map(|i| (vec![i; 16], (0..i * 3).collect(), u64::from(i) << 40 | 7)).collect();
        for budget in [0, 2000, u64::MAX] {
            let mut builder = ProfilesBuilder::new(60, 16, budget);
            for (i, (signature, shingles, fingerprint)) in rows.iter().enumerate() {
                let view = ProfileView { shingles, signature, fingerprint: *fingerprint };
                builder.keep(i as u32, view).unwrap();
            }
            let profiles = builder.finish().unwrap();
            for (i, (signature, shingles, fingerprint)) in rows.iter().enumerate() {
                let view = ProfileView { shingles, signature, fingerprint: *fingerprint };
                assert_eq!(profiles.get(i as u32), view, "budget {budget}");
            }
            assert_eq!(profiles.get(55).shingles, [0u32; 0]);
        }
    }
}
