//! The aligner as a whole: planted passages, presets, hostile texts.

use super::candidate::Candidate;
use super::evidence::{Evidence, Share};
use super::passages::apart;
use super::*;
use crate::text::flag;
use crate::text::units::Units;
use proptest::prelude::*;
use std::collections::HashSet;

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

/// Two abstracts that have nothing in common but their language and its set phrases.
const TIDE_GAUGES: &str = "ABSTRACT\nWith the development of the coast and the growth of the towns along it, the measurement of the tide has become \
    one of the important tasks of the harbour offices. This thesis studies the gauges that are in use and the errors that they \
    make in the cold months of the year. First of all, the thesis analyses the requirements of the offices and the design of \
    the stations. Then it presents the structure of the recorder, the choice of the battery and the protection of the card \
    against the sag of the voltage. On the basis of this analysis a new recorder was designed and implemented, which is cheap \
    and easy to maintain. Finally, the results of the tests show that the recorder loses less than one reading in a thousand, \
    and that it can be used in the stations of the coast for a long time. The thesis makes a contribution to the reliable \
    measurement of the tide and gives suggestions for further work.\nKey words: tide; gauge; battery";
const TEA_COOPERATIVES: &str = "ABSTRACT\nWith the development of the mountain villages and the improvement of the roads, the tea cooperatives have become \
    one of the main sources of income of the families. In this thesis the finances of four cooperatives are studied and the \
    reasons of their success and of their failure are analysed. First of all, the history of the cooperatives and the \
    structure of their membership are introduced. Then the thesis analyses the contracts with the buyers, the price of the \
    leaves and the storage of the harvest. On the basis of the interviews a model of the decisions of the members was \
    designed. Finally, the results show that the cooperatives which pay in advance keep their members, and that the others \
    lose them in the third year. The thesis is of practical significance for the management of the cooperatives and makes \
    suggestions for the policy of the county.\nKey words: tea; cooperative; contract";

/// Han characters that stand in no other text of another `seed`.
fn han_text(seed: u32, len: u32) -> String {
    (0..len).filter_map(|i| char::from_u32(0x4e00 + seed * 2000 + i * 7919 % 1999)).collect()
}

fn found_between(first: &str, second: &str) -> Vec<Match> {
    align(&Units::from_text(first), &Units::from_text(second))
}

#[test]
fn abstracts_of_one_language_share_nothing_that_counts_whatever_they_stand_among() {
    for len in [500, 4000, 20_000] {
        let first = han_text(0, len) + "\n" + TIDE_GAUGES + "\n" + &han_text(1, len);
        let second = han_text(2, len) + "\n" + TEA_COOPERATIVES + "\n" + &han_text(3, len);
        let found = found_between(&first, &second);
        assert!(found.iter().all(|m| m.weak), "{len}: {found:?}");
    }
}

#[test]
fn numbers_of_contents_tables_and_axes_share_nothing() {
    let prose = |words: &[&str]| words.iter().cycle().take(400).copied().collect::<Vec<_>>().join(" ");
    let contents: String =
        (1..40).map(|i| format!("{}.{} Harbour {i} ........ {}\n", i / 5 + 1, i % 5 + 1, 3 * i)).collect();
    let table: String = (1..40).map(|i| format!("cooperative{i} {} {} {}\n", 2 * i, i, 3 * i)).collect();
    let axis: String = (0..60).map(|i| format!("{i}\n")).collect();
    let texts = [contents + &prose(&["quay", "gauge"]), table + &prose(&["leaf", "harvest"]), axis];
    for (i, first) in texts.iter().enumerate() {
        for (j, second) in texts.iter().enumerate() {
            let counted = found_between(first, second).iter().filter(|m| !m.weak).count();
            assert_eq!(counted, usize::from(i == j), "{i} {j}");
        }
    }
}

#[test]
fn a_summary_is_weak_and_a_quotation_counts() {
    let around = text(50_000, 400);
    // One word in eight of a long source, in its order.
    let source = text(0, 1200);
    let retold: Vec<u32> = source.iter().step_by(8).copied().collect();
    let submission = [&around[..200], &retold, &around[200..]].concat();
    for m in align(&words(&submission), &words(&source)) {
        assert!(m.weak, "{m:?}");
    }
    let submission = [&around[..200], &source[600..612], &around[200..]].concat();
    let found = align(&words(&submission), &words(&source));
    assert_eq!(found.iter().map(|m| (m.submission.clone(), m.weak)).collect::<Vec<_>>(), [(200..212, false)]);
}

#[test]
fn paragraphs_that_were_taken_from_all_over_a_source_count_though_every_fifth_word_is_another() {
    let (around, source) = (text(50_000, 400), text(0, 4000));
    let replaced = |word: u32| if word.is_multiple_of(5) { 90_000 + word } else { word };
    let taken: Vec<u32> = (0..12).flat_map(|paragraph| 300 * paragraph..300 * paragraph + 30).map(replaced).collect();
    let submission = [&around[..200], &taken, &around[200..]].concat();
    let found = align(&words(&submission), &words(&source));
    let counted = found.iter().filter(|m| !m.weak).flat_map(Match::copied).map(|range| range.len()).sum::<usize>();
    assert!(counted.abs_diff(360) < 36, "{found:?}");
    assert!(found.iter().any(|m| m.similarity < 0.4), "as a whole they are thin: {found:?}");
}

#[test]
fn a_weak_passage_of_fewer_than_forty_words_is_none() {
    let source = words(&text(0, 600));
    let found = |len: u32| {
        let reworded: Vec<u32> = (0..len).map(|i| if i % 3 == 0 { i } else { 90_000 + i }).collect();
        align(&words(&[reworded, text(50_000, 500)].concat()), &source)
    };
    assert_eq!(found(30), []);
    let long = found(60);
    assert!(!long.is_empty() && long.iter().all(|m| m.weak), "{long:?}");
}

/// A text in which few words are frequent and most are not, as in prose.
fn prose(seed: u64, len: usize) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 33
    };
    (0..len)
        .map(|_| {
            let rank = 4000f64.powf((next() % 10_000) as f64 / 10_000.0);
            rank as u32
        })
        .collect()
}

#[test]
fn a_verbatim_passage_cut_anywhere_is_found_whole_among_words_of_its_language() {
    for seed in 0..40 {
        let (around, source) = (prose(2 * seed + 1, 1500), prose(2 * seed + 2, 1500));
        let len = 13 + seed as usize;
        let from = 300 + 7 * seed as usize;
        let submission = [&around[..700], &source[from..from + len], &around[700..]].concat();
        for make in [words as fn(&[u32]) -> Units, han] {
            let characters = if make(&[1]).flags[0] & flag::HAN == 0 { len } else { len.max(20) };
            let submission = if characters == len {
                submission.clone()
            } else {
                [&around[..700], &source[from..from + characters], &around[700..]].concat()
            };
            let found = align(&make(&submission), &make(&source));
            let whole = |m: &&Match| m.submission.start <= 700 && m.submission.end as usize >= 700 + characters;
            let m = found.iter().find(whole).unwrap_or_else(|| panic!("{seed} {len}: {found:?}"));
            assert!(m.submission.len() <= characters + 4, "{seed} {len}: {found:?}");
        }
    }
}

#[test]
fn sentences_in_another_order_are_one_reordered_passage() {
    let source = text(0, 600);
    let around = text(10_000, 400);
    // Ten sentences of 25 to 43 words, none beside its neighbour.
    let borders = [0, 25, 60, 103, 130, 165, 200, 240, 275, 300, 340];
    let sentences: Vec<&[u32]> = borders.windows(2).map(|b| &source[100 + b[0]..100 + b[1]]).collect();
    let order = [6, 1, 8, 3, 0, 5, 9, 2, 7, 4];
    let moved: Vec<u32> = order.iter().flat_map(|&i| sentences[i].iter().copied()).collect();
    let submission = [&around[..200], &moved, &around[200..]].concat();
    let found = align(&words(&submission), &words(&source));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (found[0].kind, found[0].submission.clone(), found[0].source.clone()),
        (Kind::Reordered, 200..540, 100..440)
    );
    assert_eq!(found[0].pieces.len(), sentences.len());
}

#[test]
fn quotations_that_adjoin_here_and_stand_the_other_way_round_there_are_all_found() {
    // A B C D here; B, and D as the middle of it, before A C there.
    let [around, a, b, c] = [text(10_000, 25), text(0, 28), prose(1, 52), text(2000, 21)];
    let submission = [&around[..], &a, &b, &c, &b[9..51]].concat();
    let source = [&text(20_000, 97), &b[..], &text(30_000, 69), &a, &[1_000_000], &c].concat();
    let found = align(&words(&submission), &words(&source));
    let covered = |unit: u32| found.iter().any(|m| m.submission.contains(&unit));
    assert!((25..168).all(covered), "{found:?}");
}

proptest! {
    #[test]
    fn unrelated_text_around_makes_no_passage((a, _) in unit_texts(), (b, _) in unit_texts(), len in 0..3000u32) {
        let counted = |a: &Units, b: &Units| align(a, b).iter().filter(|m| !m.weak).count();
        if counted(&a, &b) == 0 {
            let surround = |units: &Units, base: u32| {
                let mut all = words(&[text(base, len), units.hash.clone(), text(base + len, len)].concat());
                let at = len as usize;
                all.flags[at..at + units.len()].copy_from_slice(&units.flags);
                all
            };
            prop_assert_eq!(counted(&surround(&a, 1_000_000), &surround(&b, 2_000_000)), 0);
        }
    }

    #[test]
    fn strict_and_balanced_agree_on_runs_of_twelve_words((a, b) in unit_texts()) {
        let mut strict = Aligner::new(AlignSettings::strict());
        let balanced = align(&a, &b);
        for run in strict.align(&Submission::new(&a), &b) {
            let half_words: u32 = run.submission.clone().map(|i| 2 - u32::from(a.flags[i as usize] & flag::HAN)).sum();
            let missing = |unit: &u32| !balanced.iter().any(|m| m.submission.contains(unit));
            let distinct: HashSet<u32> = run.submission.clone().map(|i| a.hash[i as usize]).collect();
            // What says the same few words over and over is no quotation; where two runs adjoin, either may have the border's word.
            if half_words >= 24 && distinct.len() > 6 {
                let count = run.submission.clone().filter(missing).count();
                prop_assert!(count <= 2, "{run:?} {balanced:?}");
            }
        }
    }
}

#[test]
fn the_page_on_aligning_names_files_and_methods_that_exist() {
    let page = include_str!("../../docs/ALIGNMENT.md");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/align");
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    let sources: String = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let quoted = page.split('`').skip(1).step_by(2);
    for name in quoted {
        if name.ends_with(".rs") && !name.contains('/') {
            assert!(folder.join(name).exists(), "{name}");
        }
        if let Some((of, method)) = name.split_once("::") {
            let exists = sources.contains(&format!("struct {of}")) && sources.contains(&format!("fn {method}("));
            assert!(exists, "{name}");
        }
    }
}

#[test]
fn a_long_reworded_copy_is_one_passage_however_common_its_words_are() {
    // 400 words that come again and again, as they do in a book; in the copy every second one is another.
    let source: Vec<u32> = (0..9000u32).map(|i| i.wrapping_mul(i).wrapping_mul(2_654_435_761) >> 16 & 0x1ff).collect();
    let reworded = |(i, &word): (usize, &u32)| if i % 2 == 0 { word } else { 100_000 + (i as u32 * 7919) % 400 };
    let copy: Vec<u32> = source[1000..4000].iter().enumerate().map(reworded).collect();
    let mut submission = text(50_000, 500);
    submission.extend(&copy);
    submission.extend(text(60_000, 500));
    let found = align(&words(&submission), &words(&source));
    let longest = found.iter().max_by_key(|m| m.submission.len()).unwrap();
    assert!(longest.submission.start.abs_diff(500) < 20 && longest.submission.end.abs_diff(3500) < 20, "{longest:?}");
    assert!(!longest.weak && longest.similarity > 0.4, "{longest:?}");
}

#[test]
fn what_stands_between_two_copied_paragraphs_and_agrees_in_nothing_is_not_followed() {
    let source = text(0, 1000);
    let mut submission = text(50_000, 100);
    submission.extend(&source[300..400]);
    submission.extend(text(70_000, 100));
    submission.extend(&source[500..600]);
    submission.extend(text(80_000, 100));
    let found = align(&words(&submission), &words(&source));
    let ranges: Vec<_> = found.iter().map(|m| m.submission.clone()).collect();
    assert_eq!(ranges, [100..200, 300..400]);
}

#[test]
fn what_was_taken_word_for_word_and_is_said_again_in_other_words_counts_twice_wherever_it_stands() {
    let source = prose(3, 2000);
    // Two words in five are others.
    let reworded = |copied: &[u32], first: u32| -> Vec<u32> {
        let other = |(i, &word): (usize, &u32)| if i % 5 < 2 { first + i as u32 } else { word };
        copied.iter().enumerate().map(other).collect()
    };
    let (copied, again) = (&source[200..320], reworded(&source[200..320], 90_000));
    for between in [0, 30, 90, 600] {
        let submission = [&prose(5, 500)[..], copied, &prose(7, between), &again, &prose(9, 500)].concat();
        let found = align(&words(&submission), &words(&source));
        for start in [500, 620 + between as u32] {
            let place = found.iter().find(|m| m.submission.contains(&(start + 60)));
            let place = place.unwrap_or_else(|| panic!("{between} {start}: {found:?}"));
            assert!(place.submission.start.abs_diff(start) < 12, "{between} {start}: {place:?}");
            assert!(!place.weak && place.submission.end.abs_diff(start + 120) < 12, "{between} {start}: {place:?}");
        }
    }
    // The paragraph behind it in the source, behind it or at another end of the submission.
    let next = reworded(&source[320..365], 91_000);
    for between in [40, 80, 600] {
        let submission = [&prose(5, 500)[..], copied, &prose(7, between), &next, &prose(9, 500)].concat();
        let found = align(&words(&submission), &words(&source));
        let at = 640 + between as u32;
        assert!(found.iter().any(|m| !m.weak && m.submission.contains(&at)), "{between}: {found:?}");
    }
    // And shortly before it.
    let submission = [&prose(5, 500)[..], &next, &prose(7, 70), copied, &prose(9, 500)].concat();
    let found = align(&words(&submission), &words(&source));
    assert!(found.iter().any(|m| !m.weak && m.submission.contains(&530)), "{found:?}");
}

#[test]
fn a_paragraph_that_is_reworded_again_and_again_is_copied_wherever_it_stands() {
    let source = prose(3, 2000);
    // Each time others of its words are replaced, one in three.
    let reworded = |times: u32| -> Vec<u32> {
        let word = |(i, &word): (usize, &u32)| {
            let is_other =
                (i as u32).wrapping_mul(2_654_435_761).wrapping_add(times.wrapping_mul(0x9e37_79b9)).is_multiple_of(3);
            if is_other { 90_000 + 1000 * times + i as u32 } else { word }
        };
        source[700..820].iter().enumerate().map(word).collect()
    };
    for between in [0, 40, 300] {
        let again: Vec<u32> =
            (1..=4).flat_map(|times| [reworded(times), prose(10 + u64::from(times), between)].concat()).collect();
        let submission = [&prose(5, 500)[..], &again, &prose(9, 500)].concat();
        let found = align(&words(&submission), &words(&source));
        let own = |m: &Match| m.submission.start < 488 || m.submission.end as usize > 512 + again.len();
        assert!(!found.iter().any(own), "{between}: {found:?}");
        let counts = |unit: u32| found.iter().any(|m| !m.weak && m.submission.contains(&unit));
        for times in 0..4 {
            let start = 500 + times * (120 + between as u32);
            let counted = (start..start + 120).filter(|&unit| counts(unit)).count();
            assert!(counted >= 100, "{between}, {times}: {counted} of 120 in {found:?}");
        }
    }
}

#[test]
fn a_paragraph_taken_word_for_word_hides_no_reworded_one_of_the_same_source() {
    let source = prose(3, 2000);
    // Two words in five are others.
    let reworded: Vec<u32> = source[1200..1260]
        .iter()
        .enumerate()
        .map(|(i, &word)| if i % 5 < 2 { 90_000 + i as u32 } else { word })
        .collect();
    let submission = [&prose(5, 500)[..], &source[200..300], &prose(7, 600), &reworded, &prose(9, 500)].concat();
    let found = align(&words(&submission), &words(&source));
    let place = found.iter().find(|m| m.submission.contains(&1230)).unwrap_or_else(|| panic!("{found:?}"));
    assert!(!place.weak && place.submission.start.abs_diff(1200) < 8, "{place:?}");
}
