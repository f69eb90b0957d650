//! The documents that are nearest to each group of a submission's sentences: all codes of a library are looked up.

use crate::cells::Leaders;
use crate::codes::{Code, Codes, Query, beside};
use crate::gist::Gist;
use crate::table::{Table, least_that_counts};
use copytrace_hamming::cpu::Cpu;
use copytrace_hamming::tables::LANES;
use copytrace_job::{Cancelled, Job};
use rayon::prelude::*;
use std::ops::Range;

/// Documents that one thread compares at a time.
const PIECE: usize = 64;

/// Of how many documents it is told first how near documents must be to count, and then of how many times as many each time.
const FIRST: usize = 32;
const MORE: usize = 4;

/// Codes that stay in the nearest cache while groups pass.
const CODES: usize = 8 * LANES;

/// A document that is near to a group.
#[derive(Debug, Clone, Copy)]
struct Near {
    group: u32,
    document: u32,
    likeness: i16,
}

/// How like groups are to documents that count, in ten-thousandths of their products with signs: those of the nearest code, of a large library
/// among those in the cells that a group is compared with.
pub(crate) fn near(
    groups: &[Query],
    documents: &[&Gist],
    leaders: Option<&Leaders>,
    job: &Job,
) -> Result<Table, Cancelled> {
    let looked_at = match leaders {
        Some(leaders) => leaders.looked_at(groups),
        None => vec![(0..groups.len() as u32).collect()],
    };
    // By group, with the least likeness that may count.
    let mut found: Vec<(i16, Vec<(u32, i16)>)> = vec![(0, Vec::new()); groups.len()];
    let (mut start, mut end) = (0, FIRST.min(documents.len()));
    while start < end {
        let pieces = (start..end).step_by(PIECE).map(|start| start..end.min(start + PIECE));
        let tasks: Vec<(Range<usize>, usize)> =
            pieces.flat_map(|piece| (0..looked_at.len()).map(move |cell| (piece.clone(), cell))).collect();
        let least: Vec<i16> = found.iter().map(|(least, _)| *least).collect();
        let compared = tasks.par_iter().map(|(piece, cell)| {
            job.check()?;
            let codes = piece.clone().flat_map(|document| {
                let codes = documents[document].of_cell(*cell);
                codes.map(move |code| (document as u32, code))
            });
            Ok(of_piece(groups, &looked_at[*cell], &least, codes.collect()))
        });
        for near in compared.collect::<Result<Vec<_>, Cancelled>>()?.into_iter().flatten() {
            found[near.group as usize].1.push((near.document, near.likeness));
        }
        found.par_iter_mut().for_each(|(least, near)| {
            near.sort_unstable_by_key(|&(document, likeness)| (document, -likeness));
            near.dedup_by_key(|(document, _)| *document);
            *least = least_that_counts(near.iter().map(|(_, likeness)| *likeness), documents.len());
            near.retain(|(_, likeness)| likeness > least);
        });
        (start, end) = (end, documents.len().min(end * MORE));
    }
    Ok(Table::of(found.into_iter().map(|(_, near)| near).collect(), documents.len()))
}

/// The documents of a piece that are nearer than the `least` to some groups, some of them more than once.
fn of_piece(groups: &[Query], looked_at: &[u32], least: &[i16], codes: Vec<(u32, Code)>) -> Vec<Near> {
    let cpu = Cpu::best();
    let (documents, codes): (Vec<u32>, Vec<Code>) = codes.into_iter().unzip();
    let mut found: Vec<Near> = Vec::new();
    let mut sums = [[0; LANES]; CODES / LANES];
    for (documents, codes) in documents.chunks(CODES).zip(codes.chunks(CODES)) {
        let blocks: Vec<Codes> = beside(codes);
        let sums = &mut sums[..blocks.len()];
        for &group in looked_at {
            let (query, least) = (&groups[group as usize], least[group as usize]);
            query.sums(cpu, &blocks, sums);
            let limit = query.sum_of(least);
            let most = sums.as_flattened().iter().fold(0, |most, &sum| if sum > most { sum } else { most });
            if most <= limit {
                continue;
            }
            for (&sum, &document) in sums.as_flattened().iter().zip(documents).filter(|(sum, _)| **sum > limit) {
                let near = Near { group, document, likeness: query.likeness(sum) };
                match found.last_mut().filter(|last| last.group == group && last.document == document) {
                    Some(last) => last.likeness = last.likeness.max(near.likeness),
                    None if near.likeness > least => found.push(near),
                    None => (),
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::tests::{code, turned};

    /// The same, of all documents.
    fn plain(groups: &[Query], documents: &[&Gist], leaders: Option<&Leaders>) -> Table {
        let looked_at = leaders.map(|leaders| leaders.looked_at(groups));
        let cells = |group: u32| match &looked_at {
            Some(cells) => (0..cells.len()).filter(|&cell| cells[cell].contains(&group)).collect(),
            None => vec![0],
        };
        let like = |group: u32, document: &Gist| {
            let query = &groups[group as usize];
            let codes = cells(group).into_iter().flat_map(|cell| document.of_cell(cell));
            codes.map(|code| query.likeness(query.sum(&code))).max().unwrap_or(0).max(0)
        };
        let all = |group| (0..).zip(documents.iter().map(|document| like(group, document))).collect();
        Table::of((0..groups.len() as u32).map(all).collect(), documents.len())
    }

    #[test]
    fn documents_that_are_not_kept_count_as_if_all_were_compared() {
        // The last group says nothing.
        let turned = |number: u64| if number < 30 { turned(number) } else { vec![0.0; 128] };
        let groups: Vec<Query> = (0..31).map(|number| Query::of(&turned(number))).collect();
        for (count, cells) in [(1, false), (2, false), (7, false), (40, false), (200, false), (200, true)] {
            let document = |number: u64| {
                // Some are long, some are empty, and some hold what groups say.
                let codes: Vec<Code> = (0..number * 37 % 90).map(|at| code(number * 80 + at)).collect();
                Gist::new(None, String::new(), &codes)
            };
            let mut documents: Vec<Gist> = (0..count).map(document).collect();
            let leaders = cells.then(|| Leaders::of(&documents));
            leaders.iter().for_each(|leaders| documents.iter_mut().for_each(|gist| leaders.arrange(gist)));
            let documents: Vec<&Gist> = documents.iter().collect();
            let (fast, slow) = (
                near(&groups, &documents, leaders.as_ref(), &Job::default()).unwrap(),
                plain(&groups, &documents, leaders.as_ref()),
            );
            for document in 0..documents.len() {
                assert_eq!(fast.gains(document), slow.gains(document), "{count} {document}");
            }
            assert!(count < 100 || fast.len() * 2 < slow.len(), "{} {}", fast.len(), slow.len());
        }
    }
}
