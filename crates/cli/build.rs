//! Gives the program for Windows its icon, its version and its manifest: long paths, and UTF-8 wherever C libraries take names.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=windows");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
        winresource::WindowsResource::new()
            .set_icon("windows/copytrace.ico")
            .set_manifest_file("windows/copytrace.manifest")
            .set("ProductName", "copytrace")
            .set("FileDescription", "copytrace")
            .set("LegalCopyright", "MIT OR Apache-2.0")
            .compile_for("copytrace")?;
    }
    Ok(())
}
