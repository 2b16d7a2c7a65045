"""Sphinx's configuration of the documentation site. tools/build-site gathers the sources and calls Sphinx with it."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import python_pages  # noqa: E402

project = "askrff"
author = "askrff contributors"
copyright = author
version = release = re.search(r"project\(askrff VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe", "docstrings"]
nitpicky = True
smartquotes = False  # --help is no –help

# Markdown, as code hosts read it: anchors of headings are theirs.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = [
    "myst.header",  # an included part of a page need not start at the first level
    "duplicate_declaration.cpp",  # the namespace is on every page of C++
    "ref.python",  # a name in the type of a docstring that several classes have
]
highlight_language = "none"

# Python: signatures are short, types are told by the docstrings' sections.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_mock_imports = python_pages.MOCKED  # askrff.spark can be read without them
autodoc_inherit_docstrings = False
napoleon_google_docstring = False
napoleon_use_rtype = False
nitpick_ignore_regex = [
    ("py:.*", r"(?!askrff).*"),  # types of NumPy and scikit-learn, and what docstrings say in words where a type may stand
    ("cpp:.*", r"(std|detail|Eigen)(::.*)?|u?int\d+_t|Arrow\w+"),
    ("cpp:.*", r"State|Plans|HasWords"),  # the inside of a class, and a concept, which Breathe does not know
]

breathe_projects = {"askrff": os.environ["ASKRFF_DOXYGEN_OUTPUT"] + "/xml"}
breathe_default_project = "askrff"
cpp_maximum_signature_line_length = 100
maximum_signature_line_length = 100

html_theme = "furo"
html_title = f"askrff {version}"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_favicon = str(HERE / "static/icon.svg")
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": False}
