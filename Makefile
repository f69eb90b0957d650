# Set-up and checks. `make test` is what continuous integration runs.

.PHONY: test tools fmt clippy unit fuzz doc demo

test: tools fmt clippy unit doc

# What the tests need beyond a Rust toolchain: a C compiler, for SQLite and zstd; LibreOffice and fonts, which make
# documents; poppler, antiword and tesseract, with which they are read; Chromium, which opens the reports.
PACKAGES = gcc libc6-dev libreoffice-writer-nogui poppler-utils poppler-data antiword tesseract-ocr tesseract-ocr-chi-sim \
    tesseract-ocr-eng fonts-liberation fonts-wqy-microhei chromium chromium-driver

tools:
	@command -v cc >/dev/null && command -v soffice >/dev/null && command -v pdftotext >/dev/null \
	    && command -v antiword >/dev/null && command -v tesseract >/dev/null && command -v chromedriver >/dev/null && [ -d /usr/share/poppler/cMap ] && [ -d /usr/share/fonts/truetype/wqy ] || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	        apt-get update -q && apt-get install -yq --no-install-recommends $(PACKAGES); \
	    else echo "copytrace: the tests need these (Debian: apt-get install $(PACKAGES))" >&2; exit 1; fi; }
	@cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

fmt:
	cargo fmt --all --check

clippy:
	cargo clippy --all-targets --locked -- -D warnings

unit:
	cargo test --locked --lib --bins --tests --examples

# Ten times the broken documents that `make test` reads.
fuzz: tools
	COPYTRACE_MUTATIONS=20000 cargo test --locked --test formats mutations

doc:
	cargo test --locked --doc
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --locked --no-deps

demo:
	cargo run --release --locked -- check corpora/demo/submissions --corpus corpora/demo/reference -o report
