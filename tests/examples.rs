//! The examples of `examples/` run as they stand.

#[path = "../examples/index_and_check.rs"]
mod index_and_check;
#[path = "../examples/library_in_memory.rs"]
mod library_in_memory;
#[path = "../examples/near_duplicates.rs"]
mod near_duplicates;
#[path = "../examples/own_input.rs"]
mod own_input;
#[path = "../examples/own_renderer.rs"]
mod own_renderer;
#[path = "../examples/two_texts.rs"]
mod two_texts;

#[test]
fn two_texts_are_compared() {
    two_texts::main().unwrap();
}

#[test]
fn an_index_is_made_and_submissions_are_checked_against_it() {
    index_and_check::main().unwrap();
}

#[test]
fn documents_come_from_an_input_of_the_user_s_own() {
    own_input::main().unwrap();
}

#[test]
fn a_report_is_rendered_in_a_form_of_the_user_s_own() {
    own_renderer::main().unwrap();
}

#[test]
fn near_duplicates_are_told_in_a_stream() {
    near_duplicates::main().unwrap();
}

#[test]
fn a_library_is_held_in_memory() {
    library_in_memory::main().unwrap();
}
