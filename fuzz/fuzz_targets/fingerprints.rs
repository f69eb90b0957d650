#![no_main]
libfuzzer_sys::fuzz_target!(|input: (u64, &[u8], Vec<(u32, u8)>)| copytrace_fuzz::fingerprints(input.0, input.1, &input.2));
