# Set-up and checks. `make test` is what continuous integration runs.

.PHONY: test tools fmt clippy unit doc demo

test: tools fmt clippy unit doc

# What the tests need beyond a Rust toolchain: a C compiler, for SQLite and zstd.
tools:
	@command -v cc >/dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -q && apt-get install -yq gcc libc6-dev; \
	    else echo "copytrace: a C compiler is needed (Debian: apt-get install gcc libc6-dev)" >&2; exit 1; fi; }
	@cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

fmt:
	cargo fmt --all --check

clippy:
	cargo clippy --all-targets --locked -- -D warnings

unit:
	cargo test --locked --lib --bins --tests --examples

doc:
	cargo test --locked --doc
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --locked --no-deps

demo:
	cargo run --release --locked -- check corpora/demo/submissions --corpus corpora/demo/reference -o report
