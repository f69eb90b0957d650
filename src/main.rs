//! The `copytrace` program.
fn main() {}
