use copytrace::text::input::{Inputs, ReadLimits};
fn main() {
    let out = std::env::args().nth(1).unwrap();
    for path in std::env::args().skip(2) {
        let p = std::path::PathBuf::from(&path);
        let id = p.file_stem().unwrap().to_string_lossy().into_owned();
        match Inputs::open(&[p], ReadLimits::default()).next().unwrap().and_then(|r| r.extract(&ReadLimits::default()))
        {
            Ok(d) => {
                std::fs::write(format!("{out}/{id}.txt"), &d.text).unwrap();
                let m: String =
                    d.layout.marks().iter().map(|m| format!("{:?}\t{}\t{}\n", m.kind, m.start, m.end)).collect();
                std::fs::write(format!("{out}/{id}.marks"), m).unwrap();
            }
            Err(e) => println!("{id}: {}", e.reason()),
        }
    }
}
