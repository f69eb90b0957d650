//! The rows of `shared.csv`: which submissions of a batch share text with each other, and the groups they form.

use super::cells::{four_decimals, text};
use super::rows::SubmissionReport;
use crate::index::{Index, IndexError};
use crate::score::exclusion::Exclusion;
use crate::score::{Countable, ratio};
use crate::search::all_pairs::Clusters;
use crate::search::among::Sharing;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The columns of `shared.csv`.
pub const SHARED_COLUMNS: &str =
    "first,second,group,passages,characters_first,ratio_first,characters_second,ratio_second,longest,common_sources";

/// A row of `shared.csv`: two submissions of a batch that share text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SharedRow {
    /// The id that comes first.
    #[serde(serialize_with = "text")]
    pub first: String,
    /// The other id.
    #[serde(serialize_with = "text")]
    pub second: String,
    /// The group of submissions that they belong to, from 1, the largest group first.
    pub group: usize,
    /// How many passages they share.
    pub passages: usize,
    /// Countable characters of the first inside them, each counted once; excluded parts count nothing.
    pub characters_first: u64,
    /// `characters_first` / countable characters of the first.
    #[serde(serialize_with = "four_decimals")]
    pub ratio_first: f64,
    /// Countable characters of the second inside them.
    pub characters_second: u64,
    /// `characters_second` / countable characters of the second.
    #[serde(serialize_with = "four_decimals")]
    pub ratio_second: f64,
    /// Countable characters of the longest passage, as it stands in the first.
    pub longest: u64,
    /// How many sources of the corpus they have in common, which may be where both have it from.
    pub common_sources: usize,
}

/// A submission of the batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Member {
    /// Its id.
    pub id: String,
    /// What of it does not count.
    pub exclusions: Vec<Exclusion>,
}

/// The rows, by the two ids. `pairs` are of `index`, whose document of number n is the member `members(n)`; pairs that share
/// nothing but excluded parts have no row.
///
/// # Errors
/// When the index is damaged.
pub fn shared_rows<'a>(
    pairs: &[Sharing],
    index: &Index,
    member: impl Fn(u32) -> &'a Member,
    reports: &[SubmissionReport],
) -> Result<Vec<SharedRow>, IndexError> {
    let countable =
        |document: u32| Ok(Countable::outside(&index.document(document)?.units, &member(document).exclusions));
    let sources: BTreeMap<&str, BTreeSet<&str>> = reports.iter().map(sources_of).collect();
    let of = |id: &str| sources.get(id).into_iter().flatten().copied().collect::<BTreeSet<&str>>();
    let mut rows = Vec::new();
    for of_one in pairs.chunk_by(|a, b| a.first == b.first) {
        let ours = countable(of_one[0].first)?;
        for pair in of_one {
            let theirs = countable(pair.second)?;
            let characters_first = ours.matched(&pair.matches);
            let characters_second = theirs.of_union(pair.matches.iter().map(|m| m.source.clone()));
            if characters_first == 0 || characters_second == 0 {
                continue;
            }
            let (first, second) = (member(pair.first).id.clone(), member(pair.second).id.clone());
            rows.push(SharedRow {
                group: 0,
                passages: pair.matches.len(),
                characters_first,
                ratio_first: ratio(characters_first, ours.total()),
                characters_second,
                ratio_second: ratio(characters_second, theirs.total()),
                longest: pair.matches.iter().map(|m| ours.of(&m.submission)).max().unwrap_or(0),
                common_sources: of(&first).intersection(&of(&second)).count(),
                first,
                second,
            });
        }
    }
    rows.sort_by(|a, b| (&a.first, &a.second).cmp(&(&b.first, &b.second)));
    number_groups(&mut rows);
    Ok(rows)
}

fn sources_of(report: &SubmissionReport) -> (&str, BTreeSet<&str>) {
    let sources = report.sources.iter().filter(|row| row.passages > 0).map(|row| row.source.as_str());
    (&report.summary.submission, sources.collect())
}

/// The members of each group that rows were numbered by, in order.
pub fn groups(rows: &[SharedRow]) -> Vec<BTreeSet<&str>> {
    let mut groups = vec![BTreeSet::new(); rows.iter().map(|row| row.group).max().unwrap_or(0)];
    for row in rows {
        groups[row.group - 1].extend([row.first.as_str(), row.second.as_str()]);
    }
    groups
}

/// Numbers the groups that rows form by their connected components, the largest first.
fn number_groups(rows: &mut [SharedRow]) {
    let ids: BTreeSet<&str> = rows.iter().flat_map(|row| [row.first.as_str(), row.second.as_str()]).collect();
    let member_of: BTreeMap<&str, u32> = ids.iter().copied().zip(0..).collect();
    let mut clusters = Clusters::new(ids.len());
    for row in rows.iter() {
        clusters.join(member_of[row.first.as_str()], member_of[row.second.as_str()]);
    }
    let members = clusters.clone().members();
    let mut groups: Vec<&[(u32, u32)]> = members.chunk_by(|a, b| a.0 == b.0).collect();
    // The sort is stable: of two as large as each other the one whose first id comes first stays first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let numbers: BTreeMap<u32, usize> = groups.iter().map(|group| group[0].0).zip(1..).collect();
    let of_rows: Vec<usize> =
        rows.iter().map(|row| numbers[&clusters.representative(member_of[row.first.as_str()])]).collect();
    rows.iter_mut().zip(of_rows).for_each(|(row, number)| row.group = number);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(first: &str, second: &str) -> SharedRow {
        SharedRow { first: first.to_owned(), second: second.to_owned(), ..SharedRow::default() }
    }

    #[test]
    fn groups_are_connected_components_the_largest_first() {
        let mut rows = [row("a", "z"), row("b", "c"), row("d", "e"), row("c", "e"), row("x", "y")];
        number_groups(&mut rows);
        let members: Vec<Vec<&str>> = groups(&rows).into_iter().map(|group| group.into_iter().collect()).collect();
        assert_eq!(members, [vec!["b", "c", "d", "e"], vec!["a", "z"], vec!["x", "y"]]);
        assert_eq!(rows.map(|row| row.group), [2, 1, 1, 1, 3]);
        assert!(groups(&[]).is_empty());
    }
}
