#![no_main]
libfuzzer_sys::fuzz_target!(|input: (u8, Vec<(u32, u8)>)| copytrace_fuzz::index(input.0, &input.1));
