//! What of links a page does not show: where they lead, their titles and labels.

use std::ops::Range;

/// Addresses as short as this are left where they stand, for one that a reader does not see says nothing in the words of a text.
/// Chosen by hand; not measured apart.
const ADDRESS: usize = 240;

/// The fewest words of a text for each link; with fewer, what stands in the addresses stands between the words of the text. Chosen by hand;
/// not measured apart.
const WORDS_OF_LINK: usize = 8;

/// The links of a text, as the parser comes to them.
#[derive(Default)]
pub(super) struct Links {
    /// Those around this place, each with the end of what was read in it.
    open: Vec<usize>,
    /// What stands behind the words of each, in brackets of either kind.
    addresses: Vec<Range<usize>>,
}

impl Links {
    pub(super) fn start(&mut self, range: &Range<usize>) {
        self.open.push(range.start + 1);
    }

    /// Something that may stand in a link ends here.
    pub(super) fn read(&mut self, end: usize) {
        self.open.last_mut().into_iter().for_each(|last| *last = end.max(*last));
    }

    /// A link ends: behind the bracket that closes its words stands its address or its label.
    pub(super) fn end(&mut self, text: &str, range: &Range<usize>) {
        let Some(words) = self.open.pop() else { return };
        self.read(range.end);
        let rest = text.get(words.min(range.end)..range.end).unwrap_or_default();
        if let Some((_, address)) = rest.split_once(']').filter(|(_, address)| !address.is_empty()) {
            self.addresses.push(range.end - address.len()..range.end);
        }
    }

    pub(super) fn addresses(&self) -> &[Range<usize>] {
        &self.addresses
    }

    /// The places that nobody sees, and those that are too long for the address of a page. What is an address by its form stays unless
    /// links are nearly as many as words.
    pub(super) fn unseen(self, text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let words = text.split_ascii_whitespace().take(WORDS_OF_LINK * self.addresses.len()).count();
        let are_many = words < WORDS_OF_LINK * self.addresses.len();
        let (mut unseen, mut long) = (Vec::new(), Vec::new());
        for address in self.addresses {
            let has_blank = text[address.clone()].trim().contains(char::is_whitespace);
            if has_blank || are_many {
                unseen.push(address);
            } else if address.len() > ADDRESS {
                long.push(address);
            }
        }
        (unseen, long)
    }
}
