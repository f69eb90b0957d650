//! Which segments to merge, and when.

use super::catalogue::SegmentRow;

/// Segments of about equal size are merged when there are `fan_in` of them, so that a document is copied about
/// log(documents) times in its life and a search looks into few segments; segments that are mostly deleted documents are
/// rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergePolicy {
    /// How many segments of a size make one of the next.
    pub fan_in: usize,
    /// Segments that together would hold more documents than this stay apart.
    pub most_documents: u32,
}

impl Default for MergePolicy {
    fn default() -> Self {
        MergePolicy { fan_in: 8, most_documents: 2_000_000 }
    }
}

impl MergePolicy {
    /// Groups of segments, by their numbers, each to become one segment.
    pub(super) fn choose(&self, segments: &[SegmentRow]) -> Vec<Vec<u32>> {
        let mut tiers: Vec<Vec<&SegmentRow>> = Vec::new();
        let mut groups = Vec::new();
        for row in segments {
            let live = row.documents - row.deleted;
            if row.deleted > live {
                groups.push(vec![row.segment]);
                continue;
            }
            let tier = live.max(1).ilog(self.fan_in.max(2) as u32) as usize;
            if tiers.len() <= tier {
                tiers.resize_with(tier + 1, Vec::new);
            }
            tiers[tier].push(row);
        }
        for tier in tiers {
            for group in tier.chunks(self.fan_in.max(2)) {
                let together: u64 = group.iter().map(|row| u64::from(row.documents)).sum();
                if group.len() == self.fan_in.max(2) && together <= u64::from(self.most_documents) {
                    groups.push(group.iter().map(|row| row.segment).collect());
                }
            }
        }
        groups
    }

    /// Groups for a full compaction: as few segments as the limit allows, and no deleted document left.
    pub(super) fn choose_all(&self, segments: &[SegmentRow]) -> Vec<Vec<u32>> {
        let mut groups: Vec<(u64, Vec<&SegmentRow>)> = Vec::new();
        for row in segments {
            let live = u64::from(row.documents - row.deleted);
            match groups.last_mut() {
                Some((sum, group)) if *sum + live <= u64::from(self.most_documents) => {
                    *sum += live;
                    group.push(row);
                }
                _ => groups.push((live, vec![row])),
            }
        }
        let worth_it = |group: &[&SegmentRow]| group.len() > 1 || group.iter().any(|row| row.deleted > 0);
        let numbers = |group: Vec<&SegmentRow>| group.iter().map(|row| row.segment).collect();
        groups.into_iter().filter(|(_, group)| worth_it(group)).map(|(_, group)| numbers(group)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sizes: &[(u32, u32)]) -> Vec<SegmentRow> {
        let row = |(i, &(documents, deleted)): (usize, &(u32, u32))| SegmentRow {
            segment: i as u32,
            documents,
            deleted,
            bytes: 0,
        };
        sizes.iter().enumerate().map(row).collect()
    }

    #[test]
    fn eight_segments_of_a_size_are_merged_and_seven_are_not() {
        let policy = MergePolicy::default();
        assert_eq!(policy.choose(&rows(&[(10, 0); 7])), Vec::<Vec<u32>>::new());
        assert_eq!(policy.choose(&rows(&[(10, 0); 8])), [(0..8).collect::<Vec<u32>>()]);
        assert_eq!(policy.choose(&rows(&[(10, 0), (5000, 0), (100, 0)])), Vec::<Vec<u32>>::new());
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
