//! Which segments to merge, and when.

use super::catalogue::SegmentRow;

/// Segments of about equal size are merged when there are `fan_in` of them, so that a document is copied about
/// log(bytes) times in its life and a search looks into few segments; segments that are mostly deleted documents are
/// rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergePolicy {
    /// How many segments of a size make one of the next.
    pub fan_in: usize,
    /// Segments that together would take more bytes than this stay apart.
    pub most_bytes: u64,
    /// Segments that together would hold more documents than this stay apart.
    pub most_documents: u32,
}

impl Default for MergePolicy {
    fn default() -> Self {
        MergePolicy { fan_in: 8, most_bytes: 16 << 30, most_documents: 2_000_000 }
    }
}

/// Segments of fewer bytes count as equally large: opening one costs as much as reading it.
const SMALLEST: u64 = 1 << 16;

impl SegmentRow {
    fn live_documents(&self) -> u64 {
        u64::from(self.documents.saturating_sub(self.deleted))
    }

    /// About how many bytes its live documents take.
    fn live_bytes(&self) -> u64 {
        (u128::from(self.bytes) * u128::from(self.live_documents()) / u128::from(self.documents.max(1))) as u64
    }
}

impl MergePolicy {
    /// Groups of segments, by their numbers, each to become one segment.
    pub(super) fn choose(&self, segments: &[SegmentRow]) -> Vec<Vec<u32>> {
        let fan_in = self.fan_in.max(2);
        let mut tiers: Vec<Vec<&SegmentRow>> = Vec::new();
        let mut groups = Vec::new();
        for row in segments {
            if u64::from(row.deleted) > row.live_documents() {
                groups.push(vec![row.segment]);
                continue;
            }
            let tier = (row.live_bytes() / SMALLEST).max(1).ilog(fan_in as u64) as usize;
            if tiers.len() <= tier {
                tiers.resize_with(tier + 1, Vec::new);
            }
            tiers[tier].push(row);
        }
        // All of a tier at once, as a large addition may leave very many: else they would be merged twice.
        let full = tiers.iter().filter(|tier| tier.len() >= fan_in).flat_map(|tier| {
            let most = if self.admits(tier) { tier.len() } else { fan_in };
            tier.chunks(most).filter(|group| group.len() >= fan_in && self.admits(group))
        });
        groups.extend(full.map(|group| group.iter().map(|row| row.segment).collect()));
        groups
    }

    /// Whether segments may become one.
    fn admits(&self, group: &[&SegmentRow]) -> bool {
        group.iter().map(|row| row.live_documents()).sum::<u64>() <= u64::from(self.most_documents)
            && group.iter().map(|row| row.live_bytes()).sum::<u64>() <= self.most_bytes
    }

    /// Groups for a full compaction: as few segments as the limits allow, and no deleted document left.
    pub(super) fn choose_all(&self, segments: &[SegmentRow]) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<&SegmentRow>> = Vec::new();
        for row in segments {
            match groups.last_mut() {
                Some(group) if self.admits(&[group.as_slice(), &[row]].concat()) => group.push(row),
                _ => groups.push(vec![row]),
            }
        }
        let worth_it = |group: &[&SegmentRow]| group.len() > 1 || group.iter().any(|row| row.deleted > 0);
        let numbers = |group: Vec<&SegmentRow>| group.iter().map(|row| row.segment).collect();
        groups.into_iter().filter(|group| worth_it(group)).map(numbers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::catalogue::Seals;

    /// Rows of segments: for each how many documents of 64 KiB it has, and how many of them are deleted.
    fn rows(sizes: &[(u32, u32)]) -> Vec<SegmentRow> {
        let row = |(i, &(documents, deleted)): (usize, &(u32, u32))| SegmentRow {
            segment: i as u32,
            documents,
            deleted,
            bytes: u64::from(documents) << 16,
            name: i.to_string(),
            seals: Seals { segment: 0, records: 0 },
        };
        sizes.iter().enumerate().map(row).collect()
    }

    #[test]
    fn eight_segments_of_a_size_are_merged_and_seven_are_not() {
        let policy = MergePolicy::default();
        assert_eq!(policy.choose(&rows(&[(10, 0); 7])), Vec::<Vec<u32>>::new());
        assert_eq!(policy.choose(&rows(&[(10, 0); 8])), [(0..8).collect::<Vec<u32>>()]);
        assert_eq!(policy.choose(&rows(&[(10, 0); 70])), [(0..70).collect::<Vec<u32>>()]);
        let narrow = MergePolicy { most_documents: 100, ..policy };
        assert_eq!(narrow.choose(&rows(&[(10, 0); 20])), [(0..8).collect::<Vec<u32>>(), (8..16).collect()]);
        assert_eq!(policy.choose(&rows(&[(10, 0), (5000, 0), (100, 0)])), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn bytes_decide_which_segments_are_of_a_size_and_not_documents() {
        let few_books = SegmentRow { documents: 10, ..rows(&[(1000, 0)])[0].clone() };
        let mut segments = rows(&[(10, 0); 8]);
        segments[3] = SegmentRow { segment: 3, ..few_books };
        assert_eq!(MergePolicy::default().choose(&segments), Vec::<Vec<u32>>::new());
        let narrow = MergePolicy { most_bytes: 30 << 16, ..MergePolicy::default() };
        assert_eq!(narrow.choose_all(&rows(&[(10, 0); 8])), [vec![0, 1, 2], vec![3, 4, 5], vec![6, 7]]);
        assert_eq!(narrow.choose(&rows(&[(10, 0); 8])), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn a_segment_of_mostly_deleted_documents_is_rewritten() {
        assert_eq!(MergePolicy::default().choose(&rows(&[(10, 6), (10, 4)])), [[0]]);
    }

    #[test]
    fn segments_stay_few_however_many_are_added() {
        let policy = MergePolicy::default();
        let mut sizes: Vec<(u32, u32)> = Vec::new();
        let mut copied = 0;
        for _ in 0..4000 {
            sizes.push((1, 0));
            loop {
                let groups = policy.choose(&rows(&sizes));
                let Some(group) = groups.first() else { break };
                let sum = group.iter().map(|&i| sizes[i as usize].0).sum();
                copied += sum;
                sizes = (0..sizes.len()).filter(|i| !group.contains(&(*i as u32))).map(|i| sizes[i]).collect();
                sizes.push((sum, 0));
            }
            assert!(sizes.len() <= 7 * 5, "{}", sizes.len());
        }
        assert!(copied < 4000 * 5, "{copied} documents copied");
    }

    #[test]
    fn a_full_compaction_leaves_one_segment_and_does_nothing_twice() {
        let policy = MergePolicy::default();
        assert_eq!(policy.choose_all(&rows(&[(10, 0), (500, 3)])), [[0, 1]]);
        assert_eq!(policy.choose_all(&rows(&[(510, 0)])), Vec::<Vec<u32>>::new());
    }
}
