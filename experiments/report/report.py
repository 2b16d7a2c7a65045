#!/usr/bin/env python3
"""Makes the pictures and the page of a report from its numbers.

Usage: report.py FOLDER    reads FOLDER/results.json, which askrff-paper reproduce has written, and writes beside it NAME.svg and NAME.png
                           for each picture and index.html, which holds all of it and needs nothing else. Every file appears complete or
                           not at all, and nothing else in the folder is touched.
Exit code 0: done. 1: it cannot be done. 2: a wrong call. 3: a package is missing. The last line on standard error says why.
"""
import base64
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ERRATA = HERE.parent.parent / "docs" / "errata.md"
DEBIAN_PYTHON = "/usr/bin/python3"  # Debian's packages belong to it, whatever python3 comes first in PATH
FAILED, WRONG_CALL, PACKAGE_MISSING = 1, 2, 3

sys.dont_write_bytecode = True  # the project's folder may belong to somebody else


def leave(code, why):
    print(f"report.py: {why}", file=sys.stderr)
    sys.exit(code)


try:
    import jinja2

    import number_text
    from figures import distinct, figures_of
except ModuleNotFoundError as missing:
    # A virtual environment of Debian's Python is the same program, but does not see Debian's packages.
    is_debians = os.path.realpath(sys.executable) == os.path.realpath(DEBIAN_PYTHON) and sys.prefix == sys.base_prefix
    if is_debians or not os.access(DEBIAN_PYTHON, os.X_OK):
        leave(PACKAGE_MISSING, f"Python's package {missing.name} is missing (Debian: python3-matplotlib, python3-jinja2)")
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])


def write(path, content):
    unfinished = path.with_name(f"{path.name}.tmp-{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def find(records, **values):
    """The first record with these values, or None."""
    return next((record for record in records if all(record[key] == value for key, value in values.items())), None)


def in_standard_errors(estimate, exact):
    """(mean - exact) in standard errors; None where there is no error."""
    error = number_text.standard_error(estimate)
    if None in (estimate["mean"], exact, error) or error == 0:
        return 0 if error == 0 and estimate["mean"] == exact else None
    return (estimate["mean"] - exact) / error


def few(values):
    """The smallest, a middle and the largest."""
    values = sorted(values)
    return values if len(values) <= 3 else [values[0], values[len(values) // 2 - 1], values[-1]]


def page_of(results, figures):
    # Whatever is text in the results is escaped; a name the page does not know is an error and no gap.
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True, undefined=jinja2.StrictUndefined,
                                     trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, extensions=["jinja2.ext.do"])
    for function in (number_text.fixed, number_text.rounded, number_text.fixed_spread, number_text.rounded_spread,
                     number_text.standard_error, number_text.grouped, number_text.duration, few):
        environment.filters[function.__name__] = function
    environment.filters["base64"] = lambda content: base64.b64encode(content).decode()
    environment.globals.update(find=find, distinct=distinct, in_standard_errors=in_standard_errors, no_number=number_text.NO_NUMBER)
    errata = {int(number): title for number, title in re.findall(r"^### (\d+)\. (.*)$", ERRATA.read_text("utf-8"), re.MULTILINE)}
    for point in (results.get("fig3") or {}).get("points", []):
        # M is a whole number, so log₂(M/d) is one only nearly, and a little different for every d: what was meant is the next one.
        point["position"] = None if point["log2_multiple"] is None else round(point["log2_multiple"])
    artefacts = {name: results.get(name) for name in ("fig1", "fig2", "fig3", "table1")}
    style = (HERE / "style.css").read_text("utf-8")
    return environment.get_template("page.html.jinja").render(
        run=results["run"], cells=results["cells"], figures=figures, errata=errata, style=style, **artefacts)


def main(arguments):
    if len(arguments) != 1:
        leave(WRONG_CALL, "expected the folder of a report")
    folder = pathlib.Path(arguments[0])
    try:
        results = json.loads((folder / "results.json").read_text("utf-8"))
        figures = figures_of(results)
        for picture in sum(figures.values(), []):
            write(folder / f"{picture.name}.svg", picture.files["svg"])
            write(folder / f"{picture.name}.png", picture.files["png"])
        write(folder / "index.html", page_of(results, figures).encode())
    except OSError as error:
        leave(FAILED, error)
    except (ValueError, TypeError, LookupError, AttributeError, jinja2.TemplateError) as error:
        leave(FAILED, f"{folder / 'results.json'} is not what askrff-paper reproduce writes: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
