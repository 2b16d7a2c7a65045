"""Gathers the sources of the site in one folder: the repository's Markdown where it lies there, and the pages of the reference.

Usage: gather.py FOLDER COMMAND XML HEADERS…   (COMMAND: the program askrff, whose --help is read; XML: what Doxygen made of the HEADERS)
The folder mirrors the repository, so that links between pages stay as they are. Files of the repository that pages link to and that are no pages
become pages which show them. Nothing here is text of its own but headings; what is not made anew is removed.
"""

import argparse
import pathlib
import re
import shutil

import command_pages
import header_pages
import python_pages
from repository import ROOT, pages

BESIDE = ["CITATION.cff", "docs/figures/*.svg", "docs/figures/*.png", "docs/results/*.svg", "docs/results/*.csv", "docs/results/*.json"]
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".sh": "bash"}
LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(?=[)#])")


class Site:
    """The folder, written so that what did not change keeps its time: Sphinx reads only the rest again."""

    def __init__(self, folder):
        self.folder, self.written = folder, set()

    def write(self, name, content):
        path = self.folder / name
        self.written.add(path)
        content = content if isinstance(content, bytes) else content.encode()
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def remove_the_rest(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path not in self.written:
                path.unlink()


def listing(name):
    """A page that shows a file."""
    language = LANGUAGES.get(pathlib.Path(name).suffix, "none")
    return f"# {name}\n\n```{{literalinclude}} /{name}\n:language: {language}\n```\n"


def shown_files(text, page):
    """Files of the repository that a page links to and that are shown as pages: target in the text → name from the root."""
    files = {}
    for target in LINK.findall(text):
        path = (ROOT / page).parent.joinpath(target).resolve()
        if path.is_file() and path.is_relative_to(ROOT) and (path.suffix in LANGUAGES or path.name in ("LICENSE", "CITATION.cff")):
            files[target] = path.relative_to(ROOT).as_posix()
    return files


def add_page(site, name, text):
    for target, shown in shown_files(text, name).items():
        site.write(shown, (ROOT / shown).read_bytes())
        site.write(shown + ".md", "---\norphan: true\n---\n" + listing(shown))
        text = text.replace(f"]({target})", f"]({target}.md)")
    site.write(name, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("xml", type=pathlib.Path)
    parser.add_argument("headers", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    site = Site(options.folder.resolve())

    for name in pages():
        # Sections of the README are pages of the site as well: a search need not find them twice.
        metadata = "---\nnosearch: true\n---\n" if name == "README.md" else ""
        add_page(site, name, metadata + (ROOT / name).read_text())
    for pattern in BESIDE:
        for path in sorted(ROOT.glob(pattern)):
            site.write(path.relative_to(ROOT).as_posix(), path.read_bytes())
    for path in sorted((ROOT / "docs/site/pages").glob("*.md")):
        site.write(path.name, path.read_text())

    for path in options.headers:
        site.write(f"include/askrff/{path.name}", path.read_bytes())
    for kind, made in {
        "python": python_pages.pages(),
        "cpp": header_pages.pages(options.headers, options.xml),
        "command-line": command_pages.pages(options.command),
    }.items():
        for name, content in made.items():
            site.write(f"reference/{kind}/{name}", content)
    site.remove_the_rest()


if __name__ == "__main__":
    main()
