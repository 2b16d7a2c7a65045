"""A Sphinx extension: docstrings as they are read here, without marks for the sake of a site, and classes without what is not public of them."""

import re

# What has a meaning in reStructuredText and stays as it is: literals, references by role, links.
MARKED = re.compile(r"(``.*?``|:[\w:]+:`[^`]*`|`[^`]*`_?)")


def plain(text):
    """Text in which a bar and an underscore at the end of a word mean themselves: |δ|², error_."""
    return re.sub(r"(?<!\\)\||(?<![\\\s])_(?!\w)", lambda mark: "\\" + mark[0], text)


def escape(app, what, name, object_, options, lines):
    in_example = False
    for number, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example and not re.match(r"\s*(\.\. |:\w+:\s*$)", line):
            pieces = MARKED.split(line)
            lines[number] = "".join(piece if i % 2 else plain(piece) for i, piece in enumerate(pieces))


def known_signature(app, what, name, object_, options, signature, annotation):
    """Nothing rather than what a base of another package takes."""
    return ("", None) if what == "class" and signature == "(*args, **kwargs)" else None


def public_bases(app, name, object_, options, bases):
    """Bases whose modules are private are how it is made, not what it is."""
    bases[:] = [base for base in bases if not is_private(base)] or [object]


def is_private(base):
    module = getattr(base, "__module__", "")
    return module.startswith("askrff") and any(part.startswith("_") for part in (module + "." + base.__name__).split("."))


def skip_foreign(app, what, name, object_, skip, options):
    """Methods that scikit-learn adds to a class of ours are documented there."""
    return True if str(getattr(object_, "__module__", "")).startswith("sklearn") else None


def setup(app):
    app.connect("autodoc-process-docstring", escape, priority=900)  # after napoleon, which reads the sections
    app.connect("autodoc-process-signature", known_signature)
    app.connect("autodoc-process-bases", public_bases)
    app.connect("autodoc-skip-member", skip_foreign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
