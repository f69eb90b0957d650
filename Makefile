# Set-up and checks. Continuous integration runs `make test` and `make slow`.

.PHONY: test slow quick unit slow-unit arm portable properties tools slow-tools fmt licences spelling clippy doc deny windows arm-run elsewhere oldest \
    fuzz fuzz-targets durability harvest-others serve-durability serve-hostile serve-load miri dist dist-tools deb-test container program demo example wheel wheels python spark spark-stores

# Environments of Python, made when they are needed.
PYTHON = python3
TOOLS = $(CURDIR)/target/tools
VENV = $(CURDIR)/target/python
FRESH = $(CURDIR)/target/python-fresh
SPARK = $(CURDIR)/target/python-spark

# Where cargo puts what it builds for tests.
DEBUG = $(abspath $(or $(CARGO_TARGET_DIR),target))/debug

# A quarter of an hour on two cores, with little beyond a Rust toolchain.
test: tools fmt licences spelling clippy unit portable doc

# What takes longer, or needs a program that few machines have: LibreOffice, a browser, OCR, killed processes, thousands of broken files,
# another processor. Of the Python wheel `clippy` sees that its module compiles; it is built, installed and tried by `make python`, which
# would take the whole beyond half an hour on two cores.
slow: slow-tools slow-unit arm

# A C compiler builds SQLite and zstd, Python runs the checks of licences and spelling.
PACKAGES = gcc libc6-dev python3-venv
tools:
	@command -v cc >/dev/null && $(PYTHON) -c 'import ensurepip' || { $(call install,$(PACKAGES)); }
	@cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

# axe-core checks the pages' accessibility. Its licence (MPL-2.0) is not ours, so it is fetched and not kept here; from where npm
# is set up to, and only this file.
AXE = axe-core-4.14.1
AXE_SHA256 = e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745

# LibreOffice and fonts make documents; poppler, antiword and tesseract read them; Chromium opens the reports.
SLOW_PACKAGES = libreoffice-writer-nogui libreoffice-calc-nogui poppler-utils poppler-data antiword \
    tesseract-ocr tesseract-ocr-chi-sim tesseract-ocr-eng fonts-liberation fonts-wqy-microhei chromium chromium-driver glewlwyd openssl php-cli
slow-tools: tools target/$(AXE).js target/client/ready target/others/ready
	@command -v soffice >/dev/null && command -v pdftotext >/dev/null && command -v antiword >/dev/null \
	    && command -v tesseract >/dev/null && command -v chromedriver >/dev/null && command -v glewlwyd >/dev/null && command -v php >/dev/null && [ -d /usr/share/poppler/cMap ] \
	    && [ -e /usr/lib/libreoffice/program/libsclo.so ] && [ -d /usr/share/fonts/truetype/wqy ] || { $(call install,$(SLOW_PACKAGES)); }

# Installs Debian packages as root, and says which are needed where it cannot.
install = if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -q && apt-get install -yq --no-install-recommends $(1); \
    else echo "copytrace: this needs (Debian: apt-get install $(1))" >&2; exit 1; fi

# Makes a client of the description of the service's interface.
target/client/ready:
	$(PYTHON) -m venv target/client
	target/client/bin/pip install --quiet openapi-python-client==0.29.1
	touch $@

# What the service meets at an institution, written by others: a learning platform, providers of sign-in, a mail server.
OIDC_PROVIDER = oidc-provider@8.8.1
target/others/ready: packaging/others.txt
	$(PYTHON) -m venv target/others
	target/others/bin/pip install --quiet -r packaging/others.txt
	cd target/others && npm install --silent --no-audit --no-fund --no-save --prefix . $(OIDC_PROVIDER)
	touch $@

target/$(AXE).js:
	@mkdir -p target
	@cd target && npm pack --silent --fetch-retries=1 --fetch-timeout=30000 axe-core@$(AXE:axe-core-%=%) >/dev/null && echo "$(AXE_SHA256)  $(AXE).tgz" | sha256sum --check --quiet \
	    && tar -xzOf $(AXE).tgz package/axe.min.js >$(AXE).part && mv $(AXE).part $(AXE).js && rm $(AXE).tgz \
	    || echo "copytrace: $(AXE) could not be fetched by npm: the pages are tested by the rules in tests/slow/browser alone" >&2

fmt:
	cargo fmt --all --check

# Licences, versions and origins of all dependencies, against deny.toml.
licences: $(TOOLS)/ready
	@[ ! -e $(TOOLS)/ready ] || $(TOOLS)/bin/cargo-deny --locked --workspace check licenses bans sources

# The same, and whether RustSec's database, which is fetched, has an advisory for one of them.
deny: $(TOOLS)/ready
	$(TOOLS)/bin/cargo-deny --locked --workspace check

# Common misspellings in the pages; `ore` is a format of records.
spelling: $(TOOLS)/ready
	@[ ! -e $(TOOLS)/ready ] || $(TOOLS)/bin/codespell --ignore-words-list=theses,ore *.md docs/*.md corpora/*.md packaging .github

$(TOOLS)/ready: packaging/tools.txt
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet -r packaging/tools.txt && touch $@ \
	    || echo "copytrace: $$(tr '\n' ' ' <packaging/tools.txt)could not be fetched: licences, spelling and the wheel are not checked" >&2

clippy:
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --locked -p copytrace-cli --no-default-features -- -D warnings

# Every test is in one of two tiers: those whose path has `slow::` in it are run by `make slow`, all others by `make test`. A test that
# fails hides no other. All commands of both build the same packages, so that everything is compiled once. Many wait for a server, a
# browser, programs of others, or for a pause to end, so four times as many run at once as there are processors.
unit slow-unit: export RUST_TEST_THREADS = $(shell expr 4 \* $$(nproc))
unit:
	cargo test --locked --no-fail-fast --lib --bins --tests -- --skip slow::

slow-unit:
	cargo test --locked --no-fail-fast --lib --bins --tests -- slow::

# For everyday work. Under a minute when it is built.
QUICK = any_text bad_input check demo examples house index kept_index near pairs parts reports shared
quick:
	cargo test --locked --no-fail-fast --lib --bins -- --skip slow::
	cargo test --locked --no-fail-fast --test program -- --skip slow:: $(QUICK:%=%::)

# The same results by the instructions that every processor of the target has. Each loop that is compiled for several levels has a test of
# all that this processor has, which `unit` runs (tests/house.rs); here the program as a whole runs on the lowest.
portable:
	COPYTRACE_CPU=portable cargo test --locked --no-fail-fast --test program -- --skip slow:: demo:: near:: pairs::

# What depends on the processor is compiled for 64-bit Arm, where rustup has its standard library; nothing is linked, so the C libraries are
# left out. The whole is compiled and run there by `make arm-run`.
ARM = aarch64-unknown-linux-gnu
arm:
	@rustup target add $(ARM) >/dev/null 2>&1 || echo "copytrace: rustup has no $(ARM): not compiled for it" >&2
	@! rustup target list --installed 2>/dev/null | grep -q $(ARM) \
	    || CC_aarch64_unknown_linux_gnu=true AR_aarch64_unknown_linux_gnu=true cargo check --locked --target $(ARM) -p copytrace-hamming -p copytrace-text

# Properties are tried on the same generated input each time, so that what passes here passes elsewhere; `make properties` tries
# them on other input with every run. What it finds becomes a case of its own.
quick portable unit slow-unit: export PROPTEST_RNG_SEED = 20261122
properties:
	cargo test --locked --lib
	cargo test --locked --test program -- any_text:: fuzz::

# Ten times the broken documents that `make slow` reads.
fuzz: slow-tools
	COPYTRACE_MUTATIONS=20000 cargo test --locked --test program slow::formats::mutations
	COPYTRACE_MUTATIONS=10000 cargo test --locked --lib unseen_tests

# The targets of fuzz/ compiled; `cargo fuzz run TARGET` runs one (nightly). `make test` runs their bodies on generated input.
fuzz-targets:
	cargo check --locked --manifest-path fuzz/Cargo.toml --target-dir target/fuzz

# A thousand processes killed while they change an index, where `make slow` kills 120.
durability:
	COPYTRACE_KILLS=1000 cargo test --locked --test program slow::kills::a_process -- --nocapture

# What harvesting reads beside programs of others, from PyPI: a repository, a writer of WARC files, and readers of pages and of wikitext.
OTHERS = $(CURDIR)/target/harvest-others
harvest-others: tools
	$(PYTHON) -m venv $(OTHERS)
	$(OTHERS)/bin/pip install --quiet oai-repo requests trafilatura lxml_html_clean warcio mwparserfromhell
	COPYTRACE_OTHERS=$(OTHERS)/bin/python cargo test --locked --test program slow::others -- --ignored --nocapture

# A thousand jobs of `copytrace serve`, while servers and workers are killed a hundred times; `make slow` has 40 and 8.
serve-durability:
	COPYTRACE_SERVE_JOBS=1000 COPYTRACE_SERVE_KILLS=100 cargo test --locked --release --test program slow::serve::durability -- --nocapture

# Ten thousand generated hostile requests, where `make test` sends 1,000; another SEED sends others. Then large forms, slow bodies,
# idle sockets and sign-ins, all at once; those bars are for cores that do little else.
SEED = 20261122
serve-hostile:
	COPYTRACE_SERVE_REQUESTS=10000 COPYTRACE_SERVE_SEED=$(SEED) cargo test --locked --release --test program serve::requests::no_generated_request -- --nocapture
	cargo test --locked --release --test program serve::pressure -- --ignored --nocapture

# The peak of a term: so many theses within so many seconds against so many that are indexed, with a backup meanwhile. Its bars are
# for two cores that do nothing else; `make serve-load INDEXED=2000 THESES=100 SECONDS=120` is a smaller one.
INDEXED = 10000
THESES = 500
SECONDS = 600
serve-load:
	COPYTRACE_LOAD_INDEXED=$(INDEXED) COPYTRACE_LOAD_THESES=$(THESES) COPYTRACE_LOAD_SECONDS=$(SECONDS) \
	    cargo test --locked --release --test program serve::load::a_peak_of_theses -- --ignored --nocapture

# The unsafe places under Miri (nightly, with the component miri), compiled for AVX2 so that dispatch is seen too.
miri:
	PROPTEST_CASES=4 MIRIFLAGS=-Zmiri-disable-isolation RUSTFLAGS="-C target-feature=+avx2,+popcnt" cargo +nightly miri test --locked --lib -- \
	    cpu:: memory_map:: popcount:: sketch::simhash sketch::windows sketch::minhash::tests::every units::runs

# Release files in target/packages: static programs for two processors, .tar.gz and .deb with manual pages, completions and licences,
# an SBOM and checksums.
PACKAGES_FOLDER = target/packages
dist: dist-tools
	rm -rf $(PACKAGES_FOLDER)
	packaging/package.sh $(PACKAGES_FOLDER) x86_64 aarch64
	cd $(PACKAGES_FOLDER) && sha256sum * >SHA256SUMS
	@mkdir -p $(PACKAGES_FOLDER)/container/data && cp target/x86_64-unknown-linux-gnu/dist/copytrace $(PACKAGES_FOLDER)/container/
	@ls -l $(PACKAGES_FOLDER)

# The .deb in a fresh Debian: installed, the demo checked, removed without a trace. As root, after `make dist`.
deb-test:
	@command -v debootstrap >/dev/null || { apt-get update -q && apt-get install -yq --no-install-recommends debootstrap debian-archive-keyring; }
	packaging/try-deb.sh $(PACKAGES_FOLDER)

# The container, built without a daemon after `make dist`, with the demo checked in it by its own user; its archive is a release file.
BUILDAH = buildah --storage-driver vfs --root $(CURDIR)/target/container/root --runroot $(CURDIR)/target/container/run
container:
	@command -v buildah >/dev/null || { apt-get update -q && apt-get install -yq --no-install-recommends buildah; }
	$(BUILDAH) build --isolation chroot --timestamp $$(git log -1 --format=%ct) -f packaging/Containerfile -t copytrace $(PACKAGES_FOLDER)/container
	$(BUILDAH) run --isolation chroot --volume $(CURDIR)/corpora/demo:/demo:ro "$$($(BUILDAH) from copytrace)" \
	    /copytrace check /demo/submissions --corpus /demo/reference -o /data/report
	rm -f $(PACKAGES_FOLDER)/copytrace-container.tar
	$(BUILDAH) push -q copytrace oci-archive:$(PACKAGES_FOLDER)/copytrace-container.tar:copytrace

# The program as released, for the machine at hand.
program:
	cargo build --locked --profile dist -p copytrace-cli

# Debian's compiler for Arm comes without the C library's headers, so it is asked to link something.
dist-tools:
	@rustup target add $(ARM) >/dev/null
	@echo 'int main(void) { return 0; }' | aarch64-linux-gnu-gcc -static -x c -o /dev/null - 2>/dev/null \
	    && command -v python3 >/dev/null && command -v dpkg-deb >/dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	        apt-get update -q && apt-get install -yq --no-install-recommends gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross python3 dpkg; \
	    else echo "copytrace: make dist needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, python3 and dpkg" >&2; exit 1; fi; }

# The stated Rust version, with the dependencies that are locked and with the oldest that the manifests ask for.
RUST = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
OLDEST = $(CURDIR)/target/oldest
oldest:
	rustup toolchain install $(RUST) --profile minimal --no-self-update
	cargo +$(RUST) check --locked --workspace --all-features --target-dir $(OLDEST)/target
	rm -rf $(OLDEST)/tree && mkdir -p $(OLDEST)/tree && git archive HEAD | tar -x -C $(OLDEST)/tree
	cd $(OLDEST)/tree && RUSTC_BOOTSTRAP=1 cargo +$(RUST) -Z direct-minimal-versions generate-lockfile
	cd $(OLDEST)/tree && cargo +$(RUST) check --locked --workspace --all-features --target-dir $(OLDEST)/target

# The program for Windows as released, in target/packages (a zip archive, an installer), and run under Wine: the same bytes as this
# machine's own program gives, killed writers, files in use, the service, the installer.
WINDOWS = x86_64-pc-windows-gnu
WINDOWS_PACKAGES = gcc-mingw-w64-x86-64 nsis wine wine64 curl python3
windows: tools
	@command -v x86_64-w64-mingw32-gcc >/dev/null && command -v makensis >/dev/null && command -v wine >/dev/null && command -v curl >/dev/null \
	    || { $(call install,$(WINDOWS_PACKAGES)); }
	@rustup target add $(WINDOWS) >/dev/null
	packaging/windows/package.sh $(PACKAGES_FOLDER)
	cargo build --locked -p copytrace-cli
	packaging/windows/try-wine.sh target/$(WINDOWS)/dist/copytrace.exe $(DEBUG)/copytrace $(PACKAGES_FOLDER)/copytrace-*-x86_64-windows-setup.exe
	@ls -l $(PACKAGES_FOLDER)/*windows*

# The program for 64-bit Arm, built as quickly as tests are, and run by an emulator: the same bytes as this machine's own program gives.
# `make arm-run MODEL=/path/to/model` does so with `--semantic`, too.
ARM_PACKAGES = gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3
arm-run: tools
	@command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null && [ -d /usr/aarch64-linux-gnu/include ] \
	    || { $(call install,$(ARM_PACKAGES)); }
	@rustup target add $(ARM) >/dev/null
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc cargo build --locked --target $(ARM) -p copytrace-cli
	cargo build --locked -p copytrace-cli
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && packaging/same-results.sh "$$folder" $(DEBUG)/copytrace \
	    qemu-aarch64 -L /usr/aarch64-linux-gnu $(CURDIR)/target/$(ARM)/debug/copytrace

# Compiled for macOS, which cannot be run here; nothing is linked, so the C libraries are left out.
MACS = x86_64-apple-darwin aarch64-apple-darwin
elsewhere:
	@rustup target add $(MACS) >/dev/null
	CC_x86_64_apple_darwin=true AR_x86_64_apple_darwin=true CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true \
	    cargo check --locked $(MACS:%=--target %) -p copytrace-cli

# The libraries show no more than a user needs: what is added takes the place of something, or the number is raised with its reason.
LIBRARIES = copytrace copytrace-text copytrace-formats copytrace-hamming copytrace-job copytrace-messages
SHOWN = 150
# The pages are made of all of the workspace with its examples, as `clippy` sees it, so that no dependency is compiled for other features.
doc:
	cargo test --locked --no-fail-fast --doc
	RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --locked --no-deps --workspace --lib --examples
	@pages="$(foreach library,$(subst -,_,$(LIBRARIES)),target/doc/$(library)/all.html)"; \
		shown=$$(cat $$pages | grep -o '<li><a href="[^#"]*">' | wc -l); \
		[ $$shown -le $(SHOWN) ] || { echo "The libraries show $$shown items, more than $(SHOWN)"; exit 1; }

# The Python wheel for this machine as released, in dist/: one file that needs nothing beside it; and the source distribution, which it is
# built from.
wheel: $(TOOLS)/ready
	rm -rf dist
	CARGO_TARGET_DIR=$(CURDIR)/target $(TOOLS)/bin/maturin build --profile dist --locked --strip --sdist --out dist
	@ls -l dist

# The wheels for Linux on two processors, each with glibc and with musl, and for Windows, in dist/; then each of them tried. As root.
ZIG = $(CURDIR)/target/wheel-tools
MUSLS = x86_64-unknown-linux-musl aarch64-unknown-linux-musl
WHEELS_PACKAGES = debootstrap debian-archive-keyring qemu-user gcc-mingw-w64-x86-64 wine wine64 binutils
wheels: tools
	@command -v debootstrap >/dev/null && command -v qemu-aarch64 >/dev/null && command -v x86_64-w64-mingw32-gcc >/dev/null && command -v wine >/dev/null \
	    || { $(call install,$(WHEELS_PACKAGES)); }
	$(PYTHON) -m venv $(ZIG)
	$(ZIG)/bin/pip install --quiet $$(grep ^maturin packaging/tools.txt) ziglang==0.15.2
	@rustup target add $(ARM) $(WINDOWS) $(MUSLS) >/dev/null
	packaging/wheels.sh dist $(ZIG)/bin/python
	cargo build --locked -p copytrace-cli
	packaging/try-wheels.sh dist $(DEBUG)/copytrace

# The wheel, built as quickly as tests are: it installs into an environment that has nothing else and checks the demo; then all its tests,
# in an environment that has what data frames, notebooks and types need.
python: $(VENV)/ready $(TOOLS)/ready
	rm -rf target/wheel
	$(TOOLS)/bin/maturin build --profile dev --locked --out target/wheel
	$(TOOLS)/bin/maturin sdist --out target/wheel
	$(PYTHON) -m venv --clear $(FRESH)
	$(FRESH)/bin/pip install --quiet --no-index target/wheel/*.whl
	cd corpora/demo && $(FRESH)/bin/python -c "import copytrace; assert copytrace.check('submissions', 'reference')[0].copy_ratio > 0"
	cargo build --locked -p copytrace-cli
	$(VENV)/bin/pip install --quiet --no-index --no-deps --force-reinstall target/wheel/*.whl
	$(VENV)/bin/python -m twine check --strict target/wheel/*
	cd python && $(VENV)/bin/python -m mypy --config-file mypy.ini --cache-dir $(VENV)/mypy copytrace
	cd python/tests && $(VENV)/bin/python -m mypy --config-file ../mypy.ini --cache-dir $(VENV)/mypy .
	cd python/tests && $(VENV)/bin/python -m mypy.stubtest copytrace._native
	cd python/tests && COPYTRACE=$(DEBUG)/copytrace $(VENV)/bin/python -m pytest -q -p no:cacheprovider

# Spark against the program: some minutes, with PySpark and Java, which are set up.
spark: $(SPARK)/ready $(TOOLS)/ready
	@command -v java >/dev/null || { \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	        apt-get update -q && apt-get install -yq --no-install-recommends openjdk-17-jre-headless; \
	    else echo "copytrace: Spark needs Java (Debian: apt-get install openjdk-17-jre-headless)" >&2; exit 1; fi; }
	rm -rf target/wheel-spark
	$(TOOLS)/bin/maturin build --release --locked --out target/wheel-spark
	$(SPARK)/bin/pip install --quiet --no-index --no-deps --force-reinstall target/wheel-spark/*.whl
	cd python/tests_spark && $(SPARK)/bin/python -m pytest -q -p no:cacheprovider --durations=0

# An index in the object stores of Google and Azure, by their emulators from PyPI and npm, after `make spark`. The key is Azurite's own,
# which is public.
AZURITE = azurite@3.35.0
AZURITE_KEY = Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==
spark-stores: $(SPARK)/ready
	$(SPARK)/bin/pip install --quiet gcsfs==2026.10.1 adlfs==2026.8.0 gcp-storage-emulator==2026.7.19
	mkdir -p target/azurite && cd target/azurite && npm install --silent --no-audit --no-fund --no-save --prefix . $(AZURITE)
	$(SPARK)/bin/gcp-storage-emulator start --port=9023 --in-memory >/dev/null 2>&1 & servers=$$!; \
	    target/azurite/node_modules/.bin/azurite-blob --silent --disableTelemetry --inMemoryPersistence --skipApiVersionCheck & servers="$$servers $$!"; \
	    trap 'kill $$servers' EXIT; cd python/tests_spark; \
	    COPYTRACE_STORE=gs STORAGE_EMULATOR_HOST=http://127.0.0.1:9023 FSSPEC_GS_TOKEN=anon FSSPEC_GS_PROJECT=test GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT=false \
	    $(SPARK)/bin/python -m pytest -q -p no:cacheprovider -k object_store && COPYTRACE_STORE=abfs \
	    AZURE_STORAGE_CONNECTION_STRING='DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=$(AZURITE_KEY);BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;' \
	    $(SPARK)/bin/python -m pytest -q -p no:cacheprovider -k object_store

$(SPARK)/ready: python/tests_spark/requirements.txt
	$(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/pip install --quiet -r python/tests_spark/requirements.txt
	touch $@

# datasketch's own tests are in its source distribution, of which this version is the last that has them.
$(VENV)/ready: python/tests/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet -r python/tests/requirements.txt
	$(VENV)/bin/pip download --quiet --no-deps --no-binary :all: --dest $(VENV) datasketch==1.6.5
	tar -xzf $(VENV)/datasketch-1.6.5.tar.gz -C $(VENV)
	touch $@

demo:
	cargo run --release --locked -p copytrace-cli --no-default-features -- check corpora/demo/submissions --corpus corpora/demo/reference -o report --overwrite

# Renews what the README shows of the demo's report; a test compares the page with what the program writes.
EXAMPLE = report/en-01-estuary-crossing.txt.html
example:
	cargo run --release --locked -- check corpora/demo/submissions --corpus corpora/demo/reference -o report --overwrite --lang en
	cp $(EXAMPLE) docs/report-example.html
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,900 --screenshot=docs/report.png $(CURDIR)/$(EXAMPLE)
