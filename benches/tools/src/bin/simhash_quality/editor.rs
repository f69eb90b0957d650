//! Changes texts, always in the same way.

use crate::generator::Random;
use copytrace::text::units::Units;

/// What is changed.
#[derive(Clone, Copy)]
pub enum Edit {
    /// Units (Han characters, other words) here and there: replaced, left out, or put in, each as often.
    Units,
    /// One passage, replaced by one of another text.
    Passage,
}

/// The text of a number with about `percent` of a hundred units changed.
pub fn edited(texts: &[String], number: usize, edit: Edit, percent: u64) -> String {
    let mut random = Random::new(number as u64 * 1000 + percent * 2 + edit as u64);
    let other = (number + 1 + random.below(texts.len() as u64 - 1) as usize) % texts.len();
    let (text, other) = (Cut::new(&texts[number]), Cut::new(&texts[other]));
    match edit {
        Edit::Units => edit_units(&text, &other, percent, &mut random),
        Edit::Passage => edit_passage(&text, &other, percent, &mut random),
    }
}

/// A text and where its units are.
struct Cut {
    characters: Vec<char>,
    units: Units,
}

impl Cut {
    fn new(text: &str) -> Self {
        Cut { characters: text.chars().collect(), units: Units::from_text(text) }
    }

    fn between(&self, from: u32, to: u32) -> &[char] {
        &self.characters[from as usize..to as usize]
    }

    /// The characters from a unit's first to another's first.
    fn passage(&self, from: usize, to: usize) -> &[char] {
        let start = |unit: usize| self.units.start.get(unit).copied().unwrap_or(self.units.text_chars);
        self.between(start(from), start(to))
    }
}

fn edit_units(text: &Cut, other: &Cut, percent: u64, random: &mut Random) -> String {
    let mut out: Vec<char> = text.between(0, text.units.start.first().copied().unwrap_or(0)).to_vec();
    for unit in 0..text.units.len() {
        let (own, behind) = (
            text.between(text.units.start[unit], text.units.end[unit]),
            &text.passage(unit, unit + 1)[(text.units.end[unit] - text.units.start[unit]) as usize..],
        );
        let drawn = random.below(other.units.len().max(1) as u64) as usize;
        let foreign = other.passage(drawn, drawn + 1);
        let what = if random.below(100) < percent { random.below(3) } else { 3 };
        match what {
            0 => out.extend_from_slice(foreign),
            1 => {}
            2 => out.extend(foreign.iter().chain(own).chain(behind)),
            _ => out.extend(own.iter().chain(behind)),
        }
    }
    out.into_iter().collect()
}

fn edit_passage(text: &Cut, other: &Cut, percent: u64, random: &mut Random) -> String {
    let length = text.units.len() * percent as usize / 100;
    let place = |cut: &Cut, random: &mut Random| {
        let from = random.below((cut.units.len().saturating_sub(length) + 1) as u64) as usize;
        from..(from + length).min(cut.units.len())
    };
    let (replaced, foreign) = (place(text, random), place(other, random));
    let mut out = text.between(0, text.units.start.get(replaced.start).copied().unwrap_or(0)).to_vec();
    out.extend(other.passage(foreign.start, foreign.end));
    out.extend(text.passage(replaced.end, text.units.len()));
    out.into_iter().collect()
}
