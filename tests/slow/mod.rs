//! What takes minutes, or a program that few machines have: LibreOffice, a browser, OCR, killed processes, thousands of broken
//! files. `make slow` runs every test whose path has `slow::` in it, `make test` every other one, so each test is run by one of them.

mod browser;
mod documents;
#[cfg(unix)]
mod formats;
mod harvest;
#[cfg(unix)]
mod interrupt;
mod kills;
mod moodle;
mod others;
mod reports;
#[cfg(unix)]
mod serve;
