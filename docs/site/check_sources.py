#!/usr/bin/env python3
"""Looks at the sources of the site without building it: every Markdown file has its place in the index, the parts of the README that pages
include are there, and the --help of every subcommand is understood.

Usage: check_sources.py COMMAND   (the program askrff). Exit code 1: something is wrong, each failure on a line.
"""

import re
import sys

import command_pages
from repository import ROOT, pages


def index_failures():
    site = ROOT / "docs/site/pages"
    toctrees = re.findall(r"^```\{toctree\}\n(.*?)^```", (site / "index.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    listed = {line.strip() for toctree in toctrees for line in toctree.splitlines() if line.strip() and not line.startswith(":")}
    wanted = {page.removesuffix(".md") for page in pages()} | {page.stem for page in site.glob("*.md")} - {"index"}
    made = {name for name in listed if name.startswith("reference/")} | {"LICENSE"}
    failures = [f"{page}.md has no place in a toctree of docs/site/pages/index.md" for page in sorted(wanted - listed)]
    return failures + [f"docs/site/pages/index.md lists {name}, which does not exist" for name in sorted(listed - wanted - made)]


def include_failures():
    failures = []
    for page in sorted((ROOT / "docs/site/pages").glob("*.md")):
        for name, options in re.findall(r"^```\{include\} (\S+)\n(.*?)^```", page.read_text(), flags=re.DOTALL | re.MULTILINE):
            lines = (ROOT / name).read_text().splitlines()
            failures += [f"{page.name} includes {name} from or to the line \"{text}\", which it lacks" for text in re.findall(r'"(.*)"', options) if text not in lines]
    return failures


def main():
    failures = index_failures() + include_failures()
    n_commands = len(command_pages.pages(sys.argv[1]))
    for failure in failures:
        print(f"check_sources: {failure}")
    print(f"{len(pages())} Markdown files and the --help of {n_commands - 1} subcommands, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
