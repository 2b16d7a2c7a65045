"""Pages of the Python reference: one for every public name of every public module, with what autodoc makes of its docstring."""

import importlib
import inspect
import pkgutil

from docstrings import MARKED, plain
from rst import title
from sphinx.ext.autodoc.mock import mock

MOCKED = ["pyspark", "pandas", "pyarrow"]  # askrff.spark can be imported without them
# What comes from these is theirs to document.
FOREIGN = ["BaseEstimator", "TransformerMixin", "ClassNamePrefixFeaturesOutMixin", "ClassifierMixin", "RegressorMixin", "LinearOperator"]


VERSION = "The version, as text."


def public_modules():
    """askrff and its modules that say what is public of them."""
    package = importlib.import_module("askrff")
    names = [module.name for module in pkgutil.iter_modules(package.__path__, "askrff.") if not module.name.split(".")[1].startswith("_")]
    modules = [package] + [importlib.import_module(name) for name in names]
    return [module for module in modules if hasattr(module, "__all__")]


def summary(value):
    text = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return "".join(piece if i % 2 else plain(piece) for i, piece in enumerate(MARKED.split(text)))


def directive(module, name, value):
    full = f"{module}.{name}"
    if inspect.isclass(value) and issubclass(value, BaseException):
        return f".. autoexception:: {full}\n   :show-inheritance:\n"
    if inspect.isclass(value):
        return f".. autoclass:: {full}\n   :members:\n   :inherited-members: {', '.join(FOREIGN)}\n   :show-inheritance:\n"
    if callable(value):
        return f".. autofunction:: {full}\n"
    return f".. py:data:: {name}\n   :value: {value!r}\n\n   {VERSION}\n"  # the only one; its docstring would be that of str


def module_pages(module, documented):
    """`documented`: names that have a page already, by their value, so that what two modules have is told once."""
    name, pages, rows = module.__name__, {}, []
    for public in sorted(module.__all__, key=str.lower):
        value = getattr(module, public)
        if inspect.ismodule(value):
            rows.append((f":doc:`{value.__name__}`", summary(value)))
            continue
        known = documented.get(id(value)) if callable(value) else None
        if known is None:
            known = f"{name}.{public}"
            documented[id(value)] = known
            text = f".. currentmodule:: {name}\n\n" + directive(name, public, value)
            pages[f"{known}.rst"] = title(public) + text
        about = VERSION if public == "__version__" else summary(value)
        rows.append((f":doc:`{public} <{known}>`", about))
    toctree = "".join(f"   {page.removesuffix('.rst')}\n" for page in pages)
    table = ".. list-table::\n   :widths: auto\n\n" + "".join(f"   * - {link}\n     - {about}\n" for link, about in rows)
    pages[f"{name}.rst"] = title(name) + f".. automodule:: {name}\n   :no-index:\n\n{table}\n.. toctree::\n   :hidden:\n\n{toctree}\n.. py:module:: {name}\n   :no-index-entry:\n"
    return pages


def pages():
    with mock(MOCKED):
        modules, documented, made = public_modules(), {}, {}
        for module in modules:
            made.update(module_pages(module, documented))
    names = [module.__name__ for module in modules]
    rows = "".join(f"   * - :doc:`{module.__name__}`\n     - {summary(module)}\n" for module in modules)
    table = ".. list-table::\n   :widths: auto\n\n" + rows
    made["index.rst"] = title("Python") + table + "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names)
    return made
