//! The aligner as a whole: planted passages, presets, hostile texts.

use super::evidence::{Evidence, Share};
use super::passages::apart;
use super::*;
use crate::text::flag;
use proptest::prelude::*;

/// Units from numbers: each a word two characters long and one apart, a sentence every ten words.
fn words(numbers: &[u32]) -> Units {
    let mut units = Units { text_chars: 3 * numbers.len() as u32, ..Units::default() };
    for (i, &n) in numbers.iter().enumerate() {
        units.hash.push(n);
        units.stem.push(n);
        units.start.push(3 * i as u32);
        units.end.push(3 * i as u32 + 2);
        units.open.push(0);
        units.close.push(0);
        units.countable.push(2);
        units.flags.push(if i % 10 == 0 { flag::SENTENCE } else { 0 });
    }
    units
}

fn han(numbers: &[u32]) -> Units {
    let mut units = words(numbers);
    units.flags.iter_mut().for_each(|f| *f |= flag::HAN);
    units
}

fn align(submission: &Units, source: &Units) -> Vec<Match> {
    Aligner::new(AlignSettings::balanced()).align(&Submission::new(submission), source)
}

/// A text of `len` words drawn from the numbers from `base` on, no two alike.
fn text(base: u32, len: u32) -> Vec<u32> {
    (base..base + len).collect()
}

#[test]
fn an_empty_text_shares_nothing() {
    let (empty, full) = (words(&[]), words(&text(0, 100)));
    assert!(align(&empty, &full).is_empty());
    assert!(align(&full, &empty).is_empty());
    assert!(align(&empty, &empty).is_empty());
}

#[test]
fn identical_texts_are_one_verbatim_match_of_similarity_one() {
    for len in [40, 1000] {
        let units = words(&text(0, len));
        let found = align(&units, &units);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].submission.clone(), found[0].source.clone()), (0..len, 0..len));
        assert_eq!((found[0].kind, found[0].similarity), (Kind::Verbatim, 1.0));
    }
}

#[test]
fn a_sentence_by_itself_is_found_in_a_text_that_holds_it_even_three_times() {
    // Twenty Han characters, or twelve words, are all that is asked for.
    for (sentence, units) in [(text(50_000, 20), han as fn(&[u32]) -> Units), (text(50_000, 12), words)] {
        for times in [1, 3] {
            let mut source = text(0, 300);
            for _ in 0..times {
                source.extend(&sentence);
                source.extend(text(1000, 30));
            }
            let found = align(&units(&sentence), &units(&source));
            assert_eq!(found.len(), 1, "{times}");
            assert_eq!(found[0].submission, 0..sentence.len() as u32);
            let found = align(&units(&source), &units(&sentence));
            assert!(found.iter().any(|m| m.source == (0..sentence.len() as u32)), "{times}");
        }
    }
    let unlike = [text(50_000, 6), text(70_000, 14)].concat();
    let source = [text(0, 300), text(50_000, 6), text(400, 100)].concat();
    assert!(align(&han(&unlike), &han(&source)).is_empty(), "six characters of twenty are no sentence");
}

#[test]
fn a_planted_quotation_is_found_with_its_borders() {
    for make in [words, han] {
        let mut submission = text(10_000, 300);
        let source = text(0, 500);
        submission.splice(120..120, source[200..260].iter().copied());
        let (submission, source) = (make(&submission), make(&source));
        let found = align(&submission, &source);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, Kind::Verbatim);
        assert_eq!((found[0].submission.clone(), found[0].source.clone()), (120..180, 200..260));
        assert_eq!(found[0].submission_chars, 360..539);
    }
}

#[test]
fn a_passage_quoted_twice_is_found_twice() {
    let mut submission = text(10_000, 900);
    let source = text(0, 300);
    submission.splice(700..700, source[100..160].iter().copied());
    submission.splice(100..100, source[100..160].iter().copied());
    let found = align(&words(&submission), &words(&source));
    let starts: Vec<u32> = found.iter().map(|m| m.submission.start).collect();
    assert_eq!(starts, [100, 760]);
}

#[test]
fn unrelated_texts_share_nothing() {
    assert!(align(&words(&text(0, 2000)), &words(&text(5000, 2000))).is_empty());
}

#[test]
fn a_text_of_one_repeated_sentence_is_one_match_with_a_longer_one() {
    let sentence = text(0, 9);
    let (a, b) = (sentence.repeat(3000), sentence.repeat(4000));
    let found = align(&words(&a), &words(&b));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].submission, 0..27_000);
    assert_eq!((found[0].kind, found[0].similarity), (Kind::Verbatim, 1.0));
}

#[test]
fn a_variant_of_a_text_of_one_repeated_sentence_is_found_whole() {
    let sentence = text(0, 9);
    let a = sentence.repeat(3000);
    let mut b = a.clone();
    b.iter_mut().step_by(97).enumerate().for_each(|(i, word)| *word = 500 + i as u32 % 7);
    for (a, b) in [(&a, &b), (&b, &a)] {
        let found = align(&words(a), &words(b));
        let covered: usize = found.iter().map(|m| m.submission.len()).sum();
        assert!(covered as f64 > 0.99 * a.len() as f64, "{covered} of {}", a.len());
    }
}

#[test]
fn hostile_texts_are_answered() {
    let one = vec![7; 3000];
    let alternating: Vec<u32> = (0..3000).map(|i| i % 2).collect();
    let thirds: Vec<u32> = (0..3000).map(|i| i % 3).collect();
    let lone = vec![7];
    let all = [one, alternating, thirds, lone];
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        for make in [words, han] {
            let (a, b) = (make(a), make(b));
            for settings in [AlignSettings::balanced(), AlignSettings::strict(), AlignSettings::sensitive()] {
                let found = Aligner::new(settings).align(&Submission::new(&a), &b);
                check(&found, &a, &b).unwrap();
            }
        }
    }
}

#[test]
fn short_verbatim_quotations_are_found() {
    // Sixty Han characters, and twelve words in a text of many that are alike.
    type Make = fn(&[u32]) -> Units;
    for (make, len) in [(han as Make, 60), (words as Make, 12)] {
        let mut submission: Vec<u32> = (0..4000).map(|i| 10_000 + i * i % 1009).collect();
        let source: Vec<u32> = (0..900).map(|i| i * i % 1013).collect();
        submission.splice(1500..1500, source[300..300 + len].iter().copied());
        let found = align(&make(&submission), &make(&source));
        let at: Vec<_> = found.iter().map(|m| (m.submission.start, m.submission.end)).collect();
        assert_eq!(at, vec![(1500, 1500 + len as u32)]);
    }
}

#[test]
fn a_small_book_inside_a_large_one_is_one_passage() {
    let mut large: Vec<u32> = (0..60_000u32).map(|i| i.wrapping_mul(2_654_435_761) % 9001).collect();
    let small: Vec<u32> = (0..6_000u32).map(|i| 20_000 + i.wrapping_mul(2_246_822_519) % 4001).collect();
    large.splice(30_000..30_000, small.iter().copied());
    let mut changed = small.clone();
    changed.iter_mut().step_by(300).for_each(|word| *word = 77_777);
    let found = align(&words(&changed), &words(&large));
    assert_eq!(found.len(), 1);
    assert!(found[0].submission.len() >= 5_990);
}

#[test]
fn what_overlaps_is_cut_or_dropped_in_the_order_of_evidence() {
    // (candidates as [start, end, evidence], what is left of them)
    type Case = (&'static [[usize; 3]], &'static [[usize; 2]]);
    let cases: &[Case] = &[
        (&[[0, 10, 1], [10, 20, 2]], &[[0, 10], [10, 20]]),
        (&[[0, 10, 5], [8, 20, 2]], &[[0, 10], [10, 20]]),
        (&[[0, 10, 2], [8, 20, 5]], &[[0, 8], [8, 20]]),
        (&[[0, 10, 5], [4, 14, 2]], &[[0, 10]]),
        (&[[0, 30, 2], [10, 15, 5]], &[[10, 15]]),
        (&[[0, 30, 2], [20, 25, 5]], &[[0, 20], [20, 25]]),
        (&[[0, 4, 9], [4, 8, 8], [3, 20, 2]], &[[0, 4], [4, 8], [8, 20]]),
    ];
    for (candidates, expected) in cases {
        let made = candidates.iter().map(|[start, end, evidence]| Candidate {
            evidence: *evidence as Evidence,
            ..Candidate::seed(*start..*end, 0..1, Share::new(0.5))
        });
        let left: Vec<[usize; 2]> =
            apart(made.collect()).iter().map(|c| [c.submission.start, c.submission.end]).collect();
        assert_eq!(&left, expected, "{candidates:?}");
    }
}

#[test]
fn swapped_halves_are_reordered_and_a_few_changed_words_edited() {
    let source = text(0, 120);
    let around = text(10_000, 200);
    let plant = |passage: &[u32]| words(&[&around[..100], passage, &around[100..]].concat());
    let swapped: Vec<u32> = source[30..60].iter().chain(&source[0..30]).copied().collect();
    let found = align(&plant(&swapped), &words(&source));
    assert_eq!(found.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Reordered]);
    let mut edited = source[0..60].to_vec();
    edited[20] = 77_777;
    edited[41] = 77_778;
    edited[45] = 77_779;
    let found = align(&plant(&edited), &words(&source));
    assert_eq!(found.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Edited]);
}

#[test]
fn units_that_only_folding_made_equal_are_disguised() {
    let source = words(&text(0, 100));
    let mut submission = words(&text(0, 100));
    for i in (0..100).step_by(7) {
        submission.flags[i] |= flag::SCRIPT;
    }
    let found = align(&submission, &source);
    assert_eq!(found.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Disguised]);
}

#[test]
fn strict_reports_runs_of_thirteen_countable_characters_only() {
    let source = text(0, 400);
    let mut submission = text(10_000, 400);
    submission.splice(50..50, source[10..22].iter().copied());
    submission.splice(200..200, source[100..113].iter().copied());
    let mut strict = Aligner::new(AlignSettings::strict());
    let (submission, source) = (han(&submission), han(&source));
    let found = strict.align(&Submission::new(&submission), &source);
    assert_eq!(found.iter().map(|m| (m.submission.start, m.submission.end)).collect::<Vec<_>>(), [(200, 213)]);
}

/// Random texts that share pieces, with frequent words, in both kinds of units.
fn unit_texts() -> impl Strategy<Value = (Units, Units)> {
    let word = prop_oneof![0..8u32, 100..4000u32];
    let text = proptest::collection::vec(word, 0..300);
    let pieces = proptest::collection::vec((0..300usize, 0..120usize, 0..300usize), 0..4);
    let flags = proptest::collection::vec(0..128u8, 700);
    (text.clone(), text, pieces, flags).prop_map(|(mut a, b, pieces, flags)| {
        for (from, len, to) in pieces {
            let piece = b[from.min(b.len())..(from + len).min(b.len())].to_vec();
            let to = to.min(a.len());
            a.splice(to..to, piece);
        }
        let make = |numbers: &[u32], flags: &[u8]| {
            let mut units = words(numbers);
            units.flags.iter_mut().zip(flags.iter().cycle()).for_each(|(f, g)| *f = *g);
            // Whether a unit is a Han character is a matter of the unit.
            units.flags.iter_mut().zip(numbers).for_each(|(f, n)| *f = *f & !flag::HAN | (n % 3 == 0) as u8);
            units
        };
        (make(&a, &flags), make(&b, &flags[7..]))
    })
}

fn check(found: &[Match], a: &Units, b: &Units) -> Result<(), TestCaseError> {
    for m in found {
        prop_assert!(m.submission.start < m.submission.end && m.submission.end as usize <= a.len());
        prop_assert!(m.source.start < m.source.end && m.source.end as usize <= b.len());
        prop_assert!(m.submission_chars.start < m.submission_chars.end && m.submission_chars.end <= a.text_chars);
        prop_assert!(m.source_chars.start < m.source_chars.end && m.source_chars.end <= b.text_chars);
        prop_assert!((0.0..=1.0).contains(&m.similarity) && m.evidence > 0.0);
    }
    for pair in found.windows(2) {
        prop_assert!(pair[0].submission.end <= pair[1].submission.start);
    }
    Ok(())
}

proptest! {
    #[test]
    fn matches_lie_inside_and_apart_with_any_preset((a, b) in unit_texts()) {
        for settings in [AlignSettings::balanced(), AlignSettings::strict(), AlignSettings::sensitive()] {
            check(&Aligner::new(settings).align(&Submission::new(&a), &b), &a, &b)?;
        }
    }

    #[test]
    fn a_used_aligner_gives_what_a_new_one_gives((a, b) in unit_texts(), (c, d) in unit_texts()) {
        let mut used = Aligner::new(AlignSettings::balanced());
        used.align(&Submission::new(&c), &d);
        prop_assert_eq!(used.align(&Submission::new(&a), &b), align(&a, &b));
    }

    #[test]
    fn any_text_is_one_match_with_itself((a, _) in unit_texts()) {
        let found = align(&a, &a);
        prop_assert_eq!(found.len(), usize::from(!a.is_empty()));
        for m in &found {
            prop_assert_eq!((m.submission.len(), m.similarity, m.kind), (a.len(), 1.0, Kind::Verbatim));
        }
    }
}
