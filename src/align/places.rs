//! Where a hash stands in the source.

/// Places that are kept of one hash, and tried for the longest run. More of them cost time in texts that repeat themselves; a run
/// that a kept place does not begin is found from its later units. Chosen by hand; not measured apart.
const KEPT: usize = 8;

/// The first places of a hash, in units; later ones are not kept, so a text that repeats itself costs no more.
#[derive(Default)]
pub struct FirstPlaces {
    at: [u32; KEPT],
    len: u8,
}

impl FirstPlaces {
    /// Adds a place, if there is room.
    pub fn push(&mut self, at: usize) {
        if let Some(free) = self.at.get_mut(usize::from(self.len)) {
            *free = at as u32;
            self.len += 1;
        }
    }

    /// The places, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.at[..usize::from(self.len)].iter().map(|at| *at as usize)
    }
}
