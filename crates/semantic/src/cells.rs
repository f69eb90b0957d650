//! A large library in cells, so that a sentence is compared with codes that may be near it: each code lies in the cell of the
//! leader that it is nearest to, and leaders are some of the library's own codes (cluster pruning, Chierichetti et al. 2007).

use crate::codes::{Code, Query, beside};
use crate::gist::Gist;
use crate::order::Order;
use ahash::AHashSet;
use copytrace_hamming::cpu::Cpu;
use copytrace_hamming::tables::LANES;
use rapidhash::v3::rapidhash_v3;
use rayon::prelude::*;

/// A library of fewer codes is compared as a whole.
pub(crate) const LARGE: usize = 250_000;

/// Cells: of a document of 100 kB some codes are in each, so that they are compared side by side.
const LEADERS: usize = 64;

/// Cells that a group of sentences is compared with: a tenth of the library. On translated novels among 450 documents .72 and .70 of the sources
/// stood among the first 128 (.81 and .82 without cells; with 4 cells .66 and .60, with 16 of 256 .69 and .67).
const LOOKED_AT: usize = 6;

/// Codes of the library that cells are around.
#[derive(Debug, Clone)]
pub(crate) struct Leaders {
    codes: Vec<Code>,
    queries: Vec<Query>,
}

impl Leaders {
    /// Chooses leaders among the codes of gists, whatever their order: those whose hashes are least.
    pub(crate) fn of(gists: &[Gist]) -> Self {
        let least = |codes: &[Code]| {
            let mut hashed: Vec<(u64, Code)> = codes.iter().map(|code| (rapidhash_v3(code), *code)).collect();
            least_of(&mut hashed);
            hashed
        };
        let mut chosen: Vec<(u64, Code)> = gists.par_iter().flat_map_iter(|gist| least(gist.codes())).collect();
        least_of(&mut chosen);
        let codes: Vec<Code> = chosen.into_iter().map(|(_, code)| code).collect();
        Leaders { queries: codes.iter().map(Query::of_code).collect(), codes }
    }

    /// Puts the codes of a document in the order of cells.
    pub(crate) fn arrange(&self, gist: &mut Gist) {
        let blocks = beside(gist.codes());
        let (mut nearest, mut cells) = (vec![0; blocks.len() * LANES], vec![0; blocks.len() * LANES]);
        let mut sums = vec![[0; LANES]; blocks.len()];
        for (cell, leader) in (0u8..).zip(&self.queries) {
            leader.sums(Cpu::best(), &blocks, &mut sums);
            for ((sum, nearest), of) in sums.as_flattened().iter().zip(&mut nearest).zip(&mut cells) {
                (*nearest, *of) = if *sum > *nearest { (*sum, cell) } else { (*nearest, *of) };
            }
        }
        cells.truncate(gist.codes().len());
        let mut codes: Vec<u32> = (0..cells.len() as u32).collect();
        codes.sort_by_key(|&code| cells[code as usize]);
        let end = |cell: usize| codes.partition_point(|&code| usize::from(cells[code as usize]) <= cell) as u32;
        let ends = (0..self.codes.len()).map(end).collect();
        gist.order = Some(Order { codes, ends });
    }

    /// For each cell, which of these sentences are compared with those in it.
    pub(crate) fn looked_at(&self, submission: &[Query]) -> Vec<Vec<u32>> {
        let cells = |query: &Query| self.nearest(query);
        let near: Vec<Vec<usize>> = submission.par_iter().map(cells).collect();
        let mut looked_at = vec![Vec::new(); self.codes.len()];
        for (sentence, cells) in near.into_iter().enumerate() {
            cells.into_iter().for_each(|cell| looked_at[cell].push(sentence as u32));
        }
        looked_at
    }

    /// The nearest leaders, in no order.
    fn nearest(&self, query: &Query) -> Vec<usize> {
        let products = self.codes.iter().map(|leader| -query.product(leader));
        let mut all: Vec<(i32, usize)> = products.zip(0..).collect();
        let count = LOOKED_AT.min(all.len());
        if count < all.len() {
            all.select_nth_unstable(count);
        }
        all.truncate(count);
        all.into_iter().map(|(_, leader)| leader).collect()
    }
}

/// Keeps the codes of the least hashes; equal ones once.
fn least_of(hashed: &mut Vec<(u64, Code)>) {
    let mut met = AHashSet::new();
    hashed.retain(|(hash, _)| met.insert(*hash));
    if hashed.len() > LEADERS {
        hashed.select_nth_unstable(LEADERS);
        hashed.truncate(LEADERS);
    }
    hashed.sort_unstable();
}
