# Set-up and checks. `make test` is what continuous integration runs.

.PHONY: test fmt clippy unit doc deny demo

test: fmt clippy unit doc deny

fmt:
	cargo fmt --all --check

clippy:
	cargo clippy --all-targets --locked -- -D warnings

unit:
	cargo test --locked --all-targets

doc:
	cargo test --locked --doc
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

demo:
	cargo run --release --locked -- check corpora/demo/submissions --corpus corpora/demo/reference -o report
