//! Which submissions of a batch share text or sources, and the groups they form.

use super::super::rows::SubmissionReport;
use std::collections::{BTreeMap, BTreeSet};

/// Two submissions, by their places in the batch, and how many sources they share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The one that comes first.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Sources in common; one of them being a source of the other counts too.
    pub shared: usize,
}

/// A source of more submissions than this links none: what everyone has says nothing of two.
const MOST_HOLDERS: usize = 50;

/// All links, in order.
pub fn links(reports: &[SubmissionReport]) -> Vec<Link> {
    let mut holders: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, report) in reports.iter().enumerate() {
        for row in report.sources.iter().filter(|row| row.passages > 0) {
            holders.entry(&row.source).or_default().insert(at);
        }
    }
    for (at, report) in reports.iter().enumerate() {
        if let Some(held) = holders.get_mut(report.summary.submission.as_str()) {
            held.insert(at);
        }
    }
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for held in holders.values().filter(|held| held.len() <= MOST_HOLDERS) {
        let held: Vec<usize> = held.iter().copied().collect();
        for (at, &first) in held.iter().enumerate() {
            for &second in &held[at + 1..] {
                *shared.entry((first, second)).or_default() += 1;
            }
        }
    }
    shared.into_iter().map(|((first, second), shared)| Link { first, second, shared }).collect()
}

/// Submissions that links connect, the largest group first, each in order.
pub fn groups(links: &[Link]) -> Vec<Vec<usize>> {
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    for link in links {
        let mut joined = BTreeSet::from([link.first, link.second]);
        groups.retain(|group| {
            let touches = group.contains(&link.first) || group.contains(&link.second);
            if touches {
                joined.extend(group);
            }
            !touches
        });
        groups.push(joined);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_iter().map(|group| group.into_iter().collect()).collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups
}

#[cfg(test)]
mod tests {
    use super::super::super::rows::{SourceRow, SummaryRow};
    use super::*;

    fn report(id: &str, sources: &[&str]) -> SubmissionReport {
        let row = |source: &&str| SourceRow { source: source.to_string(), passages: 1, ..SourceRow::default() };
        let summary = SummaryRow { submission: id.to_owned(), ..SummaryRow::default() };
        SubmissionReport { summary, sources: sources.iter().map(row).collect(), ..SubmissionReport::default() }
    }

    #[test]
    fn submissions_are_joined_by_common_sources_and_by_being_a_source() {
        let reports = [report("a", &["x", "y"]), report("b", &["x", "y"]), report("c", &["z"]), report("d", &["c"])];
        let links = links(&reports);
        let expected = [Link { first: 0, second: 1, shared: 2 }, Link { first: 2, second: 3, shared: 1 }];
        assert_eq!(links, expected);
        assert_eq!(groups(&links), [vec![0, 1], vec![2, 3]]);
    }
}
