//! Sentences of two texts that say the same in the same order: local alignment (Smith & Waterman 1981) of sentences, where one may
//! stand for up to three (Gale & Church 1993).
//!
//! The evidence of a link is how much more alike two groups of sentences are than the sentences that are most like them
//! otherwise: of two texts of one field all are alike (cross-domain similarity local scaling, Conneau et al. 2018).

use crate::encoder::WIDTH;
use crate::matrix::Weights;
use std::ops::Range;

/// Sentences on both sides of a link.
const LINKS: [(usize, usize); 6] = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2)];

/// The most sentences of one side in a link.
const LONGEST: usize = 3;

/// How many of the sentences that are most like one tell what it is like anyway.
const NEIGHBOURS: usize = 4;

/// The share of that likeness which is no evidence.
const NEIGHBOURS_SHARE: f32 = 0.75;

/// Evidence of a cosine of 1 beyond what is expected, of sentences of [`FULL_SIZE`].
const EVIDENCE: f32 = 20.0;

/// Han characters of a sentence whose evidence is taken as it is; that of others grows with the root of their size, up to thrice this.
const FULL_SIZE: f32 = 20.0;
const MOST_SIZE: f32 = 60.0;

/// Groups of which one says more than twice what the other does lose evidence.
const UNEQUAL: f32 = 0.7;
const UNEQUAL_LOSS: f32 = 1.5;

/// Added to sizes that are compared: of short ones nothing follows.
const SIZE_PRIOR: f32 = 3.0;

/// Passages of one pair of texts.
const MOST_PASSAGES: usize = 16;

/// The most links of which one may be by chance, and with it half or a third of the evidence: definitions and turns of phrase.
const FEW: usize = 3;

/// Chosen on Chinese and English novels, Bibles and abstracts, whose other halves were not seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighing {
    /// The cosine beyond what is expected that is no evidence.
    pub(crate) cosine: f32,
    /// What a sentence without a link costs.
    pub(crate) gap: f32,
    /// The least evidence of a passage.
    pub(crate) least: f32,
    /// The same of one that is of no more links than [`FEW`].
    pub(crate) least_of_few: f32,
    /// The least evidence of a link, on the average of a passage: in two long texts of one field a little adds up to a lot.
    pub(crate) least_of_link: f32,
}

/// Of texts in two languages.
pub(crate) const TRANSLATED: Weighing =
    Weighing { cosine: 0.1, gap: 0.8, least: 11.5, least_of_few: 13.5, least_of_link: 1.0 };

/// Of texts between whose languages there is a dictionary, which has its say after that: whatever may be a passage.
pub(crate) const BEFORE_GLOSSES: Weighing =
    Weighing { least: 3.0, least_of_few: 3.0, least_of_link: 0.3, ..TRANSLATED };

/// The least evidence together with that of glosses, of which a nat counts [`GLOSSES`], and of links: by chance few stand in a row, so each more
/// than [`FEW`] counts [`OF_A_LINK`], up to [`MANY`], and each fewer takes that away. Chosen on Chinese and English novels and innocent
/// abstracts; a regression gives the three the same weights on novels of either direction.
pub(crate) const LEAST_WITH_GLOSSES: f32 = 10.0;
pub(crate) const GLOSSES: f32 = 0.3;
const OF_A_LINK: f32 = 2.0;
const MANY: usize = 6;

/// The evidence of `links` links in a row, for a passage or against it.
pub(crate) fn of_links(links: usize) -> f32 {
    OF_A_LINK * (links.min(MANY) as f32 - FEW as f32)
}

/// Of texts in one language, where all of a field is more alike.
pub(crate) const RETOLD: Weighing =
    Weighing { cosine: 0.15, gap: 1.2, least: 15.5, least_of_few: 18.5, least_of_link: 1.0 };

/// Sentences that are aligned.
pub(crate) struct Side<'a> {
    pub(crate) vectors: &'a [[f32; WIDTH]],
    pub(crate) sizes: &'a [f32],
}

/// Sentences that say the same, and how sure that is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aligned {
    pub(crate) first: Range<usize>,
    pub(crate) second: Range<usize>,
    pub(crate) evidence: f32,
    pub(crate) links: Vec<(Range<usize>, Range<usize>)>,
}

/// How a place of the table was reached.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Begin,
    Link(usize),
    GapFirst,
    GapSecond,
}

/// The passages of two texts, in the order of their evidence.
pub(crate) fn align(first: &Side, second: &Side, weighing: &Weighing) -> Vec<Aligned> {
    let (rows, columns) = (first.vectors.len(), second.vectors.len());
    if rows == 0 || columns == 0 {
        return Vec::new();
    }
    let mut scores = scores(first, second, weighing);
    let gap = |size: &f32| weighing.gap * weight(*size);
    let (first_gaps, second_gaps): (Vec<f32>, Vec<f32>) =
        (first.sizes.iter().map(gap).collect(), second.sizes.iter().map(gap).collect());
    let mut found = Vec::new();
    while found.len() < MOST_PASSAGES {
        let Some(best) = best(&scores, &first_gaps, &second_gaps, weighing.least) else { break };
        for row in 0..rows {
            for column in 0..columns {
                if best.first.contains(&row) || best.second.contains(&column) {
                    for score in &mut scores {
                        score[row * columns + column] = f32::NEG_INFINITY;
                    }
                }
            }
        }
        found.push(best);
    }
    found.retain(|passage| {
        let links = passage.links.len();
        passage.evidence >= weighing.least_of_link * links as f32
            && (links > FEW || passage.evidence >= weighing.least_of_few)
    });
    found
}

/// How much the evidence of a group of sentences weighs.
pub(crate) fn weight(size: f32) -> f32 {
    (size.min(MOST_SIZE) / FULL_SIZE).sqrt()
}

/// The evidence of each kind of link that ends at each pair of sentences.
fn scores(first: &Side, second: &Side, weighing: &Weighing) -> Vec<Vec<f32>> {
    let (rows, columns) = (first.vectors.len(), second.vectors.len());
    let cosines = cosines(first.vectors, second.vectors);
    let first_expected: Vec<f32> =
        (0..rows).map(|row| near((0..columns).map(|column| cosines[row * columns + column]))).collect();
    let second_expected: Vec<f32> =
        (0..columns).map(|column| near((0..rows).map(|row| cosines[row * columns + column]))).collect();
    let (first, second) = (Groups::of(first, &first_expected), Groups::of(second, &second_expected));
    LINKS
        .iter()
        .map(|&(p, q)| {
            let mut scores = vec![f32::NEG_INFINITY; rows * columns];
            for row in p - 1..rows {
                for column in q - 1..columns {
                    let mut together = 0.0;
                    for above in 0..p {
                        for left in 0..q {
                            together += first.roots[row - above]
                                * second.roots[column - left]
                                * cosines[(row - above) * columns + column - left];
                        }
                    }
                    let cosine = together / (first.norms[p - 1][row] * second.norms[q - 1][column]);
                    let (a, b) = (first.sizes[p - 1][row], second.sizes[q - 1][column]);
                    let expected = (first.expected[p - 1][row] + second.expected[q - 1][column]) / 2.0;
                    let beyond = cosine - weighing.cosine - NEIGHBOURS_SHARE * expected;
                    let unequal = libm::logf((a + SIZE_PRIOR) / (b + SIZE_PRIOR)).abs() - UNEQUAL;
                    scores[row * columns + column] =
                        EVIDENCE * weight(a.min(b)) * beyond - UNEQUAL_LOSS * unequal.max(0.0);
                }
            }
            scores
        })
        .collect()
}

/// Groups of one to three sentences, by the last of them.
struct Groups {
    roots: Vec<f32>,
    norms: [Vec<f32>; LONGEST],
    sizes: [Vec<f32>; LONGEST],
    expected: [Vec<f32>; LONGEST],
}

impl Groups {
    fn of(side: &Side, expected: &[f32]) -> Self {
        let roots: Vec<f32> = side.sizes.iter().map(|size| size.sqrt()).collect();
        let sums = |numbers: &[f32], length: usize| -> Vec<f32> {
            (0..numbers.len()).map(|last| numbers[(last + 1).saturating_sub(length)..=last].iter().sum()).collect()
        };
        let norm = |length: usize| -> Vec<f32> {
            let of = |last: usize| {
                let mut square = 0.0;
                let group = (last + 1).saturating_sub(length)..=last;
                for a in group.clone() {
                    for b in group.clone() {
                        let cosine = if a == b { 1.0 } else { dot(&side.vectors[a], &side.vectors[b]) };
                        square += roots[a] * roots[b] * cosine;
                    }
                }
                square.max(f32::MIN_POSITIVE).sqrt()
            };
            (0..roots.len()).map(of).collect()
        };
        let mean = |length: usize| sums(expected, length).iter().map(|sum| sum / length as f32).collect();
        Groups {
            norms: [norm(1), norm(2), norm(3)],
            sizes: [sums(side.sizes, 1), sums(side.sizes, 2), sums(side.sizes, 3)],
            expected: [mean(1), mean(2), mean(3)],
            roots,
        }
    }
}

/// The cosines of all pairs, row by row.
fn cosines(first: &[[f32; WIDTH]], second: &[[f32; WIDTH]]) -> Vec<f32> {
    let turned: Vec<f32> = (0..WIDTH).flat_map(|number| second.iter().map(move |vector| vector[number])).collect();
    Weights::new(&turned, WIDTH, second.len()).times(first.as_flattened())
}

fn dot(first: &[f32; WIDTH], second: &[f32; WIDTH]) -> f32 {
    crate::matrix::sum(first.iter().zip(second).map(|(a, b)| a * b))
}

/// The mean of the greatest few.
fn near(cosines: impl Iterator<Item = f32>) -> f32 {
    let mut cosines: Vec<f32> = cosines.collect();
    let count = NEIGHBOURS.min(cosines.len());
    cosines.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
    cosines.truncate(count);
    cosines.sort_unstable_by(f32::total_cmp);
    cosines.iter().sum::<f32>() / count as f32
}

/// The passage of most evidence, if it has enough.
fn best(scores: &[Vec<f32>], first_gaps: &[f32], second_gaps: &[f32], least: f32) -> Option<Aligned> {
    let (rows, columns) = (first_gaps.len(), second_gaps.len());
    let width = columns + 1;
    let mut table = vec![(0.0f32, Step::Begin); (rows + 1) * width];
    let (mut most, mut end) = (0.0, (0, 0));
    for row in 1..=rows {
        for column in 1..=columns {
            let mut best = (0.0, Step::Begin);
            let mut take = |evidence: f32, step: Step| {
                if evidence > best.0 {
                    best = (evidence, step);
                }
            };
            for (link, &(p, q)) in LINKS.iter().enumerate() {
                if row >= p && column >= q {
                    let before = table[(row - p) * width + column - q].0;
                    take(before + scores[link][(row - 1) * columns + column - 1], Step::Link(link));
                }
            }
            take(table[(row - 1) * width + column].0 - first_gaps[row - 1], Step::GapFirst);
            take(table[row * width + column - 1].0 - second_gaps[column - 1], Step::GapSecond);
            table[row * width + column] = best;
            if best.0 > most {
                (most, end) = (best.0, (row, column));
            }
        }
    }
    if most < least {
        return None;
    }
    let (mut row, mut column) = end;
    let mut links = Vec::new();
    loop {
        match table[row * width + column].1 {
            Step::Begin => break,
            Step::Link(link) => {
                let (p, q) = LINKS[link];
                links.push((row - p..row, column - q..column));
                (row, column) = (row - p, column - q);
            }
            Step::GapFirst => row -= 1,
            Step::GapSecond => column -= 1,
        }
    }
    links.reverse();
    Some(Aligned { first: row..end.0, second: column..end.1, evidence: most, links })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::unit;

    /// A meaning of its own for each number.
    fn meaning(number: u32) -> [f32; WIDTH] {
        let mut state = number.wrapping_mul(2_654_435_769).wrapping_add(97);
        unit(std::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        }))
    }

    fn aligned(first: &[u32], second: &[u32], sizes: f32) -> Vec<Aligned> {
        let vectors = |numbers: &[u32]| numbers.iter().map(|&number| meaning(number)).collect::<Vec<_>>();
        let (a, b) = (vectors(first), vectors(second));
        let (x, y) = (vec![sizes; a.len()], vec![sizes; b.len()]);
        align(&Side { vectors: &a, sizes: &x }, &Side { vectors: &b, sizes: &y }, &TRANSLATED)
    }

    #[test]
    fn sentences_of_the_same_meanings_in_the_same_order_are_a_passage() {
        let found = aligned(&[1, 2, 3, 4, 5, 6, 7, 8, 9], &[21, 22, 4, 5, 6, 23, 24, 25, 26], 20.0);
        assert_eq!((found.len(), found[0].first.clone(), found[0].second.clone()), (1, 3..6, 2..5));
        assert_eq!(found[0].links, [(3..4, 2..3), (4..5, 3..4), (5..6, 4..5)]);
    }

    #[test]
    fn a_sentence_that_was_added_or_left_out_parts_no_passage() {
        let found = aligned(&[1, 2, 3, 4, 5, 6, 7, 8], &[31, 2, 3, 32, 4, 6, 33, 34], 20.0);
        assert_eq!((found.len(), found[0].first.clone(), found[0].second.clone()), (1, 1..6, 1..6));
    }

    #[test]
    fn of_few_links_more_evidence_is_asked_than_of_many() {
        let others = [21, 22, 23, 24, 25, 26];
        let of = |same: &[u32], sizes: f32| {
            let found = aligned(&[same, &[31, 32, 33, 34, 35, 36]].concat(), &[same, &others[..]].concat(), sizes);
            found.into_iter().map(|passage| (passage.links.len(), passage.evidence)).next()
        };
        // The evidence grows with the root of the size.
        let (links, evidence) = of(&[1, 2], 5.0).unwrap();
        let smaller = evidence * (3.6f32 / 5.0).sqrt();
        assert!(links == 2 && smaller > TRANSLATED.least && smaller < TRANSLATED.least_of_few, "{evidence}");
        assert_eq!(of(&[1, 2], 3.6), None);
        let (links, evidence) = of(&[1, 2, 3, 4], 0.9).unwrap();
        assert!(links == 4 && evidence < TRANSLATED.least_of_few, "{evidence}");
    }

    #[test]
    fn other_meanings_and_no_sentences_are_no_passage() {
        assert_eq!(aligned(&[1, 2, 3, 4, 5], &[11, 12, 13, 14, 15], 20.0), []);
        assert_eq!(aligned(&[], &[1], 20.0), []);
    }

    #[test]
    fn a_text_holds_as_many_passages_as_it_took() {
        let found = aligned(
            &[1, 2, 3, 40, 41, 42, 43, 44, 45, 46, 47, 4, 5, 6],
            &[4, 5, 6, 50, 51, 52, 53, 54, 55, 1, 2, 3],
            20.0,
        );
        let mut places: Vec<_> = found.iter().map(|passage| passage.first.clone()).collect();
        places.sort_by_key(|place| place.start);
        assert_eq!(places, [0..3, 11..14]);
    }
}
