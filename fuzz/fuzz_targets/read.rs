#![no_main]
libfuzzer_sys::fuzz_target!(|input: (u8, &[u8])| copytrace_fuzz::read(input.0, input.1));
