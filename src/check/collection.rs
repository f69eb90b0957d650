//! Many submissions: each against a library, and all with each other.

use super::checker::Checker;
use super::error::{CheckError, Reason, Unread};
use super::forms::{self, Holder, Side};
use super::report::Report;
use super::rounds::in_rounds;
use crate::align::Match;
use crate::index::{Index, IndexWriter};
use crate::job::{Job, Stage};
use crate::score::exclusion::{self, Exclusion};
use crate::score::passages::part_of;
use crate::score::wording::{Wording, is_framed};
use crate::score::{Countable, ratio};
use crate::search::all_pairs::Clusters;
use crate::search::among::{self, SharingPair};
use crate::settings::Settings;
use crate::sketch::analysis::Analysis;
use crate::text::Document;
use crate::text::NotCounted;
use crate::text::units::Units;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Submissions that are checked one batch after the other, and compared with each other in the end. Of two with one id the
/// first counts.
pub struct Collection<'a> {
    checker: &'a Checker,
    /// An index in memory of the submissions; none when they are not compared.
    compared: Option<IndexWriter>,
    /// Whether it keeps their wordings.
    keeps_texts: bool,
    members: Vec<Member>,
    ids: BTreeSet<String>,
}

/// Two submissions are copies of one work if they share this share of the shorter one. Chosen by hand.
const ONE_WORK: f64 = 0.3;

/// What is remembered of a submission.
struct Member {
    id: String,
    /// What of it does not count.
    exclusions: Vec<Exclusion>,
    /// What its units tell.
    wording: Wording,
    /// Its length in characters, where lines start on which somebody signs, and who its author is, if that is known.
    characters: u32,
    signed: Vec<u32>,
    author: Option<String>,
    /// The ids of the sources it shares passages with.
    sources: BTreeSet<String>,
    /// Its wording, until the index has it; empty when it is not kept.
    text: String,
}

/// What a checked submission came to, and what is kept of it.
type Checked<T> = (T, Option<(Member, Analysis)>);

impl<'a> Collection<'a> {
    /// No submissions yet. They are compared with each other if `compare` says so.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new(checker: &'a Checker, compare: bool) -> Result<Self, CheckError> {
        let writer = || IndexWriter::in_memory(&checker.settings().sketch);
        let compared = if compare { Some(writer()?) } else { None };
        Ok(Collection { checker, compared, keeps_texts: false, members: Vec::new(), ids: BTreeSet::new() })
    }

    /// The same, but the texts of the submissions are kept (compressed), so that two can be shown side by side in the end.
    pub fn keeping_texts(self) -> Self {
        Collection { keeps_texts: true, ..self }
    }

    /// Checks a batch of submissions by all threads, and gives in order what `work` makes of each report, or of the reason
    /// why there is none.
    ///
    /// # Errors
    /// When the job was cancelled, or the index is damaged.
    pub fn check<T: Send>(
        &mut self,
        batch: Vec<Result<Document, Unread>>,
        job: &Job,
        work: impl Fn(Result<Report, Unread>) -> T + Sync,
    ) -> Result<Vec<T>, CheckError> {
        let batch: Vec<Result<Document, Unread>> = batch.into_iter().map(|read| self.claim(read)).collect();
        let (checker, compared, keeps_texts) = (self.checker, self.compared.is_some(), self.keeps_texts);
        let check = |read: Result<Document, Unread>| {
            let text = read.as_ref().ok().filter(|_| compared && keeps_texts).map(|document| document.text.clone());
            let mut checked = check_one(checker, read, compared, job, &work);
            if let Ok((_, Some((member, _)))) = &mut checked {
                member.text = text.unwrap_or_default();
            }
            job.advance(Stage::Checking, 1);
            checked
        };
        let mut made = Vec::with_capacity(batch.len());
        for round in in_rounds(batch) {
            let checked: Vec<Checked<T>> = round.into_par_iter().map(&check).collect::<Result<_, CheckError>>()?;
            for (of_one, kept) in checked {
                if let (Some(writer), Some((mut member, analysis))) = (&mut self.compared, kept) {
                    // What they share is found in the order of these ids. A submission's own id may be one that no index takes.
                    // It is not asked for fingerprints.
                    let id = format!("{}\0{:09}", member.id, self.members.len());
                    let document = Document { id, text: std::mem::take(&mut member.text), ..Document::default() };
                    writer.add_claimed(&document, Vec::new(), 0, &analysis.with_fingerprint(0))?;
                    self.members.push(member);
                }
                made.push(of_one);
            }
        }
        Ok(made)
    }

    /// Of two submissions with one id the first counts: results are told apart by it.
    fn claim(&mut self, read: Result<Document, Unread>) -> Result<Document, Unread> {
        let id = read.as_ref().map_or_else(|unread| &unread.id, |document| &document.id);
        let is_new = self.ids.insert(id.clone());
        match read {
            Ok(document) if !is_new => Err(Unread::new(&document.id, Reason::RepeatedSubmission)),
            read => read,
        }
    }

    /// What the submissions share with each other; `None` when they were not to be compared, or there are no two.
    ///
    /// # Errors
    /// When the job was cancelled, or there is no memory.
    pub fn shared(self, job: &Job) -> Result<Option<SharedReport>, CheckError> {
        Ok(self.shared_with_texts(job)?.map(|(shared, _)| shared))
    }

    /// The same with the texts of the submissions, if they were [kept](Collection::keeping_texts).
    ///
    /// # Errors
    /// When the job was cancelled, or there is no memory.
    pub fn shared_with_texts(self, job: &Job) -> Result<Option<(SharedReport, SubmissionTexts)>, CheckError> {
        let Some(writer) = self.compared.filter(|_| self.members.len() > 1) else { return Ok(None) };
        let index = writer.into_index()?;
        let mut members = self.members;
        let report = shared(&index, &mut members, self.checker.settings(), job)?;
        let numbers = members.into_iter().map(|member| member.id).zip(0..).collect();
        Ok(Some((report, SubmissionTexts { index, numbers })))
    }
}

/// The texts of the submissions of a [`Collection`].
pub struct SubmissionTexts {
    index: Index,
    /// The number that the index gave each.
    numbers: BTreeMap<String, u32>,
}

impl SubmissionTexts {
    /// The text of a submission; none when texts were not kept or there is none of this id.
    ///
    /// # Errors
    /// Never, as the index is in memory.
    pub fn of(&self, id: &str) -> Result<Option<String>, CheckError> {
        Ok(self.numbers.get(id).map(|&number| self.index.text(number)).transpose()?.flatten())
    }
}

/// Checks a submission, and gives what the others are to be compared with.
fn check_one<T>(
    checker: &Checker,
    read: Result<Document, Unread>,
    compared: bool,
    job: &Job,
    work: &impl Fn(Result<Report, Unread>) -> T,
) -> Result<Checked<T>, CheckError> {
    job.check()?;
    let document = match read {
        Ok(document) => document,
        Err(unread) => return Ok((work(Err(unread)), None)),
    };
    let analysis = match checker.library().analysers.analyse(&document, &job.cancel) {
        Ok(analysis) => analysis,
        Err(error) => return Ok((work(Err(Unread::new(&document.id, error.too_short()?))), None)),
    };
    let id = document.id.clone();
    let (findings, mut analysis) = match checker.search(document, analysis, None, job) {
        Err(CheckError::NothingLeft) => return Ok((work(Err(Unread::new(&id, Reason::NothingLeft))), None)),
        found => found?,
    };
    let member = compared.then(|| {
        let sources = findings.sources.iter().filter(|source| !source.passages.is_empty());
        let sources = sources.map(|source| source.id.clone()).collect();
        Member {
            id: findings.submission.id.clone(),
            exclusions: findings.exclusions(),
            wording: findings.wording().clone(),
            characters: findings.units().text_chars,
            signed: findings.structure().signed.clone(),
            author: findings.submission.metadata.author.clone(),
            sources,
            text: String::new(),
        }
    });
    job.check()?;
    let made = work(Ok(findings.report()));
    analysis.units = findings.into_units().unwrap_or_default();
    Ok((made, member.map(|member| (member, analysis))))
}

/// What submissions share with each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SharedReport {
    /// Those that share text, by the two ids.
    pub pairs: Vec<Shared>,
    /// Pairs that were not compared, because each submission is compared with a bounded number of others.
    pub left_out: usize,
}

/// Two submissions that share text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// The id that comes first.
    pub first: String,
    /// The other id.
    pub second: String,
    /// The group of submissions that they belong to, from 1, the largest group first; 0 when their share is below
    /// [`Shared::GROUP_SHARE`].
    pub group: usize,
    /// How many passages they share.
    pub passages: usize,
    /// Countable characters of the first inside them, each counted once; excluded parts count nothing.
    pub characters_first: u64,
    /// `characters_first` / countable characters of the first.
    pub ratio_first: f64,
    /// Countable characters of the second inside them.
    pub characters_second: u64,
    /// `characters_second` / countable characters of the second.
    pub ratio_second: f64,
    /// Countable characters of the longest passage, in the first.
    pub longest: u64,
    /// How many sources of the library they have in common, which may be where both have it from.
    pub common_sources: usize,
    /// How alike the wordings of the passage are that is the most alike on both sides, 0 to 1.
    pub similarity: f64,
    /// Where the passages stand, in the order of the first.
    pub places: Vec<Common>,
}

/// A passage of two submissions, in characters of their extracted texts, the end exclusive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Common {
    /// Where it stands in the first.
    pub first: Range<u32>,
    /// Where it stands in the second.
    pub second: Range<u32>,
    /// What of `first` the second does not have.
    pub first_own: Vec<Range<u32>>,
    /// What of `second` the first does not have.
    pub second_own: Vec<Range<u32>>,
    /// How alike the two wordings are, 0 to 1.
    pub similarity: f64,
}

impl Shared {
    /// Two submissions belong to one group from this share on. Below it a class that writes on one subject, or quotes one law, would
    /// be a single group. Chosen by hand; not measured apart.
    pub const GROUP_SHARE: f64 = 0.1;

    /// The larger one of the two ratios: how much of one of them stands in the other.
    pub fn share(&self) -> f64 {
        self.ratio_first.max(self.ratio_second)
    }
}

/// The pairs, by the two ids; those that share nothing but excluded parts are left out. The index numbers documents in the
/// order of the members.
fn shared(index: &Index, members: &mut [Member], settings: &Settings, job: &Job) -> Result<SharedReport, CheckError> {
    let found = among::find(index, settings, job)?;
    leave_out_forms(index, members, &found.pairs)?;
    let member = |document: u32| &members[document as usize];
    // All of it, and what counts.
    let countable = |document: u32| -> Result<(Countable, Countable, Units), CheckError> {
        let units = index.text_units(document)?;
        Ok((Countable::new(&units), Countable::outside(&units, &member(document).exclusions), units))
    };
    let mut pairs = Vec::new();
    for of_one in found.pairs.chunk_by(|a, b| a.first == b.first) {
        let (all_ours, ours, our_units) = countable(of_one[0].first)?;
        for pair in of_one {
            job.check()?;
            let (all_theirs, theirs, their_units) = countable(pair.second)?;
            // Whoever copied from the other may have dressed it; so it is slight only if both sides are.
            let (first, second, align) = (&member(pair.first).wording, &member(pair.second).wording, &settings.align);
            let are_facts = |m: &Match| {
                let theirs = second.facts(&their_units, &m.taken());
                first.facts(&our_units, &m.copied()).are_told_anew(&theirs)
            };
            let is_slight = |m: &Match| {
                let (copied, taken) = (m.copied(), m.taken());
                let (ours, theirs) = ((&our_units, &copied[..]), (&their_units, &taken[..]));
                first.is_slight(align, &our_units, &copied) && second.is_slight(align, &their_units, &taken)
                    || is_framed(align, ours, &first.frames) && is_framed(align, theirs, &second.frames)
                    || first.agrees_in_titles(align, ours, &second.cited, || (second, theirs))
                    || first.agrees_in_labels(align, &our_units, m) && second.are_labels(&their_units, &m.source)
                    || first.may_agree_in_facts(align, &our_units, m) && are_facts(m)
            };
            // What lies in a part that does not count does not, though a little of it may stand outside.
            let counts = |m: &&Match| {
                !is_slight(m)
                    && part_of(&m.submission, &all_ours, &member(pair.first).exclusions).is_none()
                    && part_of(&m.source, &all_theirs, &member(pair.second).exclusions).is_none()
            };
            let matches: Vec<&Match> = pair.matches.iter().filter(counts).collect();
            let characters_first = ours.matched(matches.iter().copied());
            let characters_second = theirs.of_union(matches.iter().flat_map(|m| m.taken()));
            if characters_first == 0 || characters_second == 0 {
                continue;
            }
            let (first, second) = (member(pair.first), member(pair.second));
            pairs.push(Shared {
                group: 0,
                passages: matches.len(),
                characters_first,
                ratio_first: ratio(characters_first, ours.total()),
                characters_second,
                ratio_second: ratio(characters_second, theirs.total()),
                longest: matches.iter().map(|m| ours.matched([*m])).max().unwrap_or(0),
                common_sources: first.sources.intersection(&second.sources).count(),
                similarity: pair.matches.iter().map(|m| f64::from(m.similarity)).fold(0.0, f64::max),
                places: pair.matches.iter().map(common).collect(),
                first: first.id.clone(),
                second: second.id.clone(),
            });
        }
    }
    pairs.sort_by(|a, b| (&a.first, &a.second).cmp(&(&b.first, &b.second)));
    number_groups(&mut pairs);
    Ok(SharedReport { pairs, left_out: found.left_out })
}

/// Another member, the side that this one is on, and what they share.
type SharedWith<'m> = (u32, Side, &'m [Match]);

/// Adds the forms that several members have to what of them does not count.
fn leave_out_forms(index: &Index, members: &mut [Member], pairs: &[SharingPair]) -> Result<(), CheckError> {
    let mut of_members: BTreeMap<u32, Vec<SharedWith<'_>>> = BTreeMap::new();
    for SharingPair { first, second, matches } in pairs {
        of_members.entry(*first).or_default().push((*second, Side::Submission, matches));
        of_members.entry(*second).or_default().push((*first, Side::Source, matches));
    }
    // Two members that share much are copies of one work.
    let mut copies: BTreeSet<[u32; 2]> = BTreeSet::new();
    for SharingPair { first, second, matches } in pairs {
        let shared: u32 = matches.iter().map(|m| m.submission.len().max(m.source.len()) as u32).sum();
        if f64::from(shared) >= ONE_WORK * f64::from(index.units_of(*first)?.min(index.units_of(*second)?)) {
            copies.extend([[*first, *second], [*second, *first]]);
        }
    }
    for (member, others) in of_members {
        let signed = &members[member as usize].signed;
        if others.len() < forms::FEWEST || signed.is_empty() {
            continue;
        }
        let holder = |(other, side, matches): &SharedWith<'_>| {
            let characters = [member, *other].map(|document| members[document as usize].characters);
            Holder::new(characters, matches.iter().map(|m| (m, true)), *side)
        };
        let holders: Vec<Holder> = others.iter().map(holder).collect();
        let author = |at: usize| &members[others[at].0 as usize].author;
        let is_one_work = |a: usize, b: usize| {
            copies.contains(&[others[a].0, others[b].0]) || author(a).is_some() && author(a) == author(b)
        };
        let forms = forms::find(&holders, signed, &index.text_units(member)?, is_one_work);
        let forms = forms.into_iter().map(|units| Exclusion::of_itself(NotCounted::TitlePage, units));
        let exclusions = &mut members[member as usize].exclusions;
        *exclusions = exclusion::apart(exclusions.drain(..).chain(forms).collect());
    }
    Ok(())
}

impl SharedReport {
    /// The members of each group, in order.
    pub fn groups(&self) -> Vec<BTreeSet<&str>> {
        groups(&self.pairs)
    }
}

fn common(place: &Match) -> Common {
    Common {
        first: place.submission_chars.clone(),
        second: place.source_chars.clone(),
        first_own: place.own.iter().map(|(_, chars)| chars.clone()).collect(),
        second_own: place.left_out.iter().map(|(_, chars)| chars.clone()).collect(),
        similarity: f64::from(place.similarity),
    }
}

fn groups(pairs: &[Shared]) -> Vec<BTreeSet<&str>> {
    let mut groups = vec![BTreeSet::new(); pairs.iter().map(|pair| pair.group).max().unwrap_or(0)];
    for pair in pairs.iter().filter(|pair| pair.group > 0) {
        groups[pair.group - 1].extend([pair.first.as_str(), pair.second.as_str()]);
    }
    groups
}

/// Numbers the groups that pairs of a share of [`Shared::GROUP_SHARE`] form by their connected components, the largest first.
fn number_groups(pairs: &mut [Shared]) {
    let mut pairs: Vec<&mut Shared> = pairs.iter_mut().filter(|pair| pair.share() >= Shared::GROUP_SHARE).collect();
    let ids: BTreeSet<&str> = pairs.iter().flat_map(|pair| [pair.first.as_str(), pair.second.as_str()]).collect();
    let member_of: BTreeMap<&str, u32> = ids.iter().copied().zip(0..).collect();
    let mut clusters = Clusters::new(ids.len());
    for pair in pairs.iter() {
        clusters.join(member_of[pair.first.as_str()], member_of[pair.second.as_str()]);
    }
    let members = clusters.clone().members();
    let mut groups: Vec<&[(u32, u32)]> = members.chunk_by(|a, b| a.0 == b.0).collect();
    // The sort is stable: of two as large as each other the one whose first id comes first stays first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let numbers: BTreeMap<u32, usize> = groups.iter().map(|group| group[0].0).zip(1..).collect();
    let numbered: Vec<usize> =
        pairs.iter().map(|pair| numbers[&clusters.representative(member_of[pair.first.as_str()])]).collect();
    pairs.iter_mut().zip(numbered).for_each(|(pair, number)| pair.group = number);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: &str, second: &str) -> Shared {
        Shared { first: first.to_owned(), second: second.to_owned(), ratio_second: 0.3, ..Shared::default() }
    }

    #[test]
    fn a_small_share_joins_no_group() {
        let small = Shared { ratio_second: 0.09, ..pair("b", "c") };
        let mut pairs = [pair("a", "b"), small, pair("c", "d")];
        number_groups(&mut pairs);
        assert_eq!(pairs.each_ref().map(|pair| pair.group), [1, 0, 2]);
        assert_eq!(groups(&pairs).len(), 2);
    }

    #[test]
    fn groups_are_connected_components_the_largest_first() {
        let mut pairs = [pair("a", "z"), pair("b", "c"), pair("d", "e"), pair("c", "e"), pair("x", "y")];
        number_groups(&mut pairs);
        let members: Vec<Vec<&str>> = groups(&pairs).into_iter().map(|group| group.into_iter().collect()).collect();
        assert_eq!(members, [vec!["b", "c", "d", "e"], vec!["a", "z"], vec!["x", "y"]]);
        assert_eq!(pairs.map(|pair| pair.group), [2, 1, 1, 1, 3]);
        assert!(groups(&[]).is_empty());
    }
}
