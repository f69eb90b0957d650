//! The blocks of code on the pages that read PDF files and workbooks, which LibreOffice makes.

use crate::documents::{needs_office, run_blocks};

#[test]
fn blocks_of_code_that_read_office_files_do_what_the_pages_say() {
    let ran = run_blocks(needs_office);
    assert!(ran >= 2, "{ran} blocks ran");
}
