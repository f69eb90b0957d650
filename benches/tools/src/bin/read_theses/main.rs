//! What the product makes of a folder of theses, and the tables of `docs/FORMATS.md`.
//!
//! ```text
//! cargo run --release -p copytrace-tools --bin read_theses -- FOLDER [--titles | --text | --table | --twins [--differences]] [ID...]
//! ```
//! The folder holds `theses.csv` and the files that it names, in `docs/` or beside it. Read of the CSV are the columns `id`,
//! `file`, `family`, `format`, `language`, `chapters found/true (rows)` (of which the number after the slash) and `references
//! found` (`none in it` or `–` where there are none to find), and `contents` (`y` where there are some), if there is such a column.
//! `--titles` lists each text's sections and block quotations below its row, `--text` its lines with their marks, `--twins` tells
//! how far files of one family in two formats agree (and with `--differences` where they do not), `--table` prints what it all comes to, as `docs/FORMATS.md` has it.

mod reading;
mod twins;

use copytrace::settings::Settings;
use copytrace::sketch::analysis::Analyser;
use reading::{Reading, Row};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, arguments): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let option = |name: &str| options.iter().any(|option| option == name);
    let (titles, table, of_twins) = (option("--titles"), option("--table"), option("--twins"));
    let Some((folder, wanted)) = arguments.split_first() else { return Err("which folder?".into()) };
    let folder = Path::new(folder);
    let mut analyser = Analyser::new(&Settings::default().sketch);
    let mut readings = Vec::new();
    let rows: Vec<Row> = csv::Reader::from_path(folder.join("theses.csv"))?.deserialize().collect::<Result<_, _>>()?;
    if !table && !of_twins {
        println!("{}", reading::HEADER);
    }
    for row in rows.into_iter().filter(|row| wanted.is_empty() || wanted.contains(&row["id"])) {
        let file = [folder.join("docs"), folder.to_owned()].map(|folder| folder.join(&row["file"]));
        let file = file.into_iter().find(|file| file.exists()).ok_or_else(|| format!("no {}", row["file"]))?;
        let reading = Reading::of(row, &file, &mut analyser)?;
        if !table && !of_twins {
            println!("{reading}");
        }
        if titles {
            reading.sections.iter().for_each(|section| println!("    {section}"));
        }
        if option("--text") {
            println!("{}", reading.lines);
        }
        readings.push(reading);
    }
    if table {
        println!("{}", reading::table(&readings));
    }
    if table || of_twins {
        println!("{}", twins::table(&readings, option("--differences")));
    }
    if !table && !of_twins {
        println!("\n{}", reading::sums(&readings));
    }
    Ok(())
}
