#![no_main]
libfuzzer_sys::fuzz_target!(|texts: (&str, &str)| copytrace_fuzz::align(texts.0, texts.1));
