"""Examples in docstrings and in the pages of docs/ run, and print what they say."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re

import pytest

import askrff

SOURCES = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/python.md", "docs/from-rbfsampler.md", "docs/tables.md", "docs/sparse.md", "docs/space-and-time.md", "docs/events.md", "docs/source-inversion.md", "docs/precomputed.md", "docs/expressions.md", "docs/your-own-kernel.md"]
ELSEWHERE = {"_core", "dask", "spark"}  # compiled; of optional packages: see cluster/
MODULES = ["askrff"] + [module.name for module in pkgutil.walk_packages(askrff.__path__, "askrff.") if module.name.split(".")[1] not in ELSEWHERE]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("name", ["CausalOperator", "ExponentialSum", "FourierFeatures", "FourierClassifier", "FourierRegressor", "HawkesProcess", "Kernel", "SourceInversion", "exact_kernel", "kernel_operator", "load", "shifted"])
def test_public_names_have_examples(name):
    assert ">>>" in getattr(askrff, name).__doc__


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, tmp_path, monkeypatch):
    if not (SOURCES / page).exists():
        pytest.skip("the pages are part of the sources, not of the package")
    if page == "docs/tables.md":
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)  # for the files the examples write
    blocks = re.findall(r"^```pycon\n(.*?)^```", (SOURCES / page).read_text(), flags=re.DOTALL | re.MULTILINE)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_no_page_is_forgotten():
    if not (SOURCES / "docs").exists():
        pytest.skip("the pages are part of the sources, not of the package")
    with_examples = {f"docs/{page.name}" for page in (SOURCES / "docs").glob("*.md") if "\n```pycon\n" in page.read_text()}
    assert with_examples <= set(PAGES) | {"docs/cluster.md"}  # that one is tested in cluster/


def undocumented(module):
    """Public names, and methods of public classes, without a docstring of their own."""
    for name in module.__all__:
        value = getattr(module, name)
        if name == "__version__" or inspect.ismodule(value):
            continue
        if not value.__doc__:
            yield name
        if inspect.isclass(value):
            for owner in value.__mro__:
                for method, member in vars(owner).items() if owner.__module__.startswith("askrff") else ():
                    function = getattr(member, "__func__", member)
                    if not method.startswith("_") and (inspect.isfunction(function) or isinstance(member, property)) and not function.__doc__:
                        yield f"{name}.{method}"


@pytest.mark.parametrize("name", ["askrff", "askrff.kernels"])
def test_public_names_have_docstrings(name):
    assert list(undocumented(importlib.import_module(name))) == []


def public_functions():
    for name in askrff.__all__:
        value = getattr(askrff, name)
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value) and value.__module__.startswith("askrff."):
            for method, function in vars(value).items():
                if inspect.isfunction(function) and (method == "__init__" or not method.startswith("_")):
                    yield f"{name}.{method}", function


def test_public_functions_say_their_types():
    for name, function in public_functions():
        parameters = set(inspect.signature(function).parameters) - {"self"}
        assert parameters | {"return"} <= set(function.__annotations__), name


def test_types_are_part_of_the_package():
    package = pathlib.Path(askrff.__file__).parent
    assert (package / "py.typed").exists()
    assert "def train" in (package / "_core.pyi").read_text()
