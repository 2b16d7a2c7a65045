# askrff: the commands a newcomer needs. Everything is built under build/.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
RELEASE := build/release
SANITIZED := build/asan-ubsan
TSAN := build/tsan
FUZZ_SECONDS ?= 60

.PHONY: help demo build paper test test-cluster test-aarch64 test-libcxx check-macos sanitize tsan fuzz lint format install deb test-deb figures docs check-docs python wheels test-wheels bench bench-accuracy bench-comparison clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      install what is missing, build the command, and approximate three asymmetric kernels on built-in data"
	@echo "make test      install what is missing, build, and run all tests"
	@echo "make test-cluster  install Dask and Spark, and run the tests of askrff.dask and askrff.spark on real workers"
	@echo "make test-aarch64  all C++ tests on an emulated aarch64: cross compiler, libraries unpacked under build/, qemu-user (takes hours)"
	@echo "make test-libcxx  all C++ tests compiled by clang with libc++"
	@echo "make check-macos  compile the libraries and the command for macOS with zig, and link the command"
	@echo "make build     the command at $(RELEASE)/askrff and the libraries beside it"
	@echo "make paper     the program of the paper's experiments at $(RELEASE)/askrff-paper (askrff-paper reproduce, askrff-paper datasets)"
	@echo "make python    the Python package as a wheel in build/python/dist, tested with two versions of its dependencies"
	@echo "make wheels    the sdist and wheels for any Linux with glibc 2.28 in build/wheels, checked (interpreters: python3.9 … on PATH, or WHEEL_PYTHONS)"
	@echo "make test-wheels  install these wheels in new environments and in other Debians without compilers, the sdist in one with g++ and python3-dev alone, and use them"
	@echo "make install   headers, libraries, command and packages into PREFIX (now $(PREFIX))"
	@echo "make deb       Debian packages libaskrff, libaskrff-dev and askrff in build/deb"
	@echo "make test-deb  the same, installed, used and removed again in a bare Debian 12 of its own (needs root)"
	@echo "make sanitize  all tests with the address and undefined-behaviour sanitizers"
	@echo "make tsan      the same with the thread sanitizer"
	@echo "make fuzz      feed every reader hostile bytes for FUZZ_SECONDS (now $(FUZZ_SECONDS)) with libFuzzer"
	@echo "make lint      formatting and static analysis"
	@echo "make format    format the sources in place"
	@echo "make docs      the documentation as a site in build/docs/site: tutorials, reference of Python, C++ and command line, results; its links checked"
	@echo "make check-docs  make docs, then every page in a browser, at three widths"
	@echo "make figures   draw the pictures of the documentation anew (needs gnuplot)"
	@echo "make bench     measure against the machine's limits and other software, and write docs/performance.md (takes minutes)"
	@echo "make bench-accuracy  measure errors against the paper's estimator and the best possible, and write docs/accuracy.md (takes half an hour)"
	@echo "make bench-comparison  compare the Python package with scikit-learn's RBFSampler and Nystroem, and write docs/comparison.md (takes an hour or two)"
	@echo "make clean     remove build/"

build:
	@tools/install-deps build
	@tools/configure release
	@cmake --build $(RELEASE) -j $(JOBS) --target askrff_cli askrff_static askrff_shared askrff_data_static askrff_data_shared

demo:
	@tools/install-deps build
	@tools/configure release
	@cmake --build $(RELEASE) -j $(JOBS) --target askrff_cli
	@$(RELEASE)/askrff demo

paper:
	@tools/install-deps paper
	@tools/configure release PAPER
	@cmake --build $(RELEASE) -j $(JOBS) --target askrff_paper

test:
	@tools/install-deps test
	@tools/configure release TESTS
	@cmake --build $(RELEASE) -j $(JOBS)
	@ctest --test-dir $(RELEASE) -j $(JOBS) --output-on-failure
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/test-python $(RELEASE)

test-cluster: build
	@tools/install-deps cluster
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/test-cluster $(RELEASE)

test-aarch64:
	@tools/install-deps aarch64
	@tools/make-sysroot
	@tools/configure aarch64 TESTS
	@cmake --build build/aarch64 -j $(JOBS)
	@ctest --test-dir build/aarch64 -j $(JOBS) --output-on-failure

test-libcxx:
	@tools/install-deps libcxx
	@tools/make-libcxx-prefix
	@tools/configure libcxx TESTS
	@cmake --build build/libcxx -j $(JOBS)
	@ctest --test-dir build/libcxx -j $(JOBS) --output-on-failure

check-macos:
	@tools/install-deps macos
	@JOBS=$(JOBS) tools/check-macos

python: build
	@tools/install-deps python
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/test-python $(RELEASE)

wheels:
	@tools/install-deps wheels
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/build-wheels

test-wheels:
	@tools/install-deps roots
	@tools/test-wheels
	@tools/test-wheels --roots
	@tools/test-wheels --sdist

sanitize:
	@tools/install-deps test
	@tools/configure asan-ubsan TESTS
	@cmake --build $(SANITIZED) -j $(JOBS)
	@ctest --test-dir $(SANITIZED) -j $(JOBS) --output-on-failure

tsan:
	@tools/install-deps test
	@tools/configure tsan TESTS
	@cmake --build $(TSAN) -j $(JOBS)
	@TSAN_OPTIONS="suppressions=$(CURDIR)/tests/tsan_suppressions" ctest --test-dir $(TSAN) -j $(JOBS) --output-on-failure

fuzz:
	@tools/install-deps fuzz
	@tools/configure fuzz
	@cmake --build build/fuzz -j $(JOBS)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) JOBS=$(JOBS) tools/run-fuzz

lint:
	@tools/install-deps lint
	@tools/lint

format:
	@tools/install-deps test
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 -i

install: build
	@cmake --install $(RELEASE) --prefix "$(PREFIX)"

deb:
	@tools/install-deps deb
	@JOBS=$(JOBS) tools/build-deb

test-deb: deb
	@tools/install-deps roots
	@tools/test-deb

figures: build
	@tools/make-figures

docs: build
	@tools/install-deps docs
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/build-site $(RELEASE)

check-docs: docs
	@tools/check-site

bench:
	@tools/install-deps bench
	@tools/configure release
	@cmake --build $(RELEASE) -j $(JOBS) --target askrff_bench askrff_cli askrff_static askrff_shared askrff_data_static askrff_data_shared
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/run-bench

bench-accuracy:
	@tools/install-deps accuracy
	@tools/configure release PAPER
	@cmake --build $(RELEASE) -j $(JOBS) --target askrff_accuracy
	@tools/run-accuracy

bench-comparison: build
	@tools/install-deps python
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/run-comparison

clean:
	@rm -rf build
