"""Which files of the repository are pages of the site."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["*.md", "docs/*.md", "docs/results/*.md"]
PARTS = {"docs/accuracy-notes.md", "docs/performance-notes.md"}  # stand in the pages they belong to, word for word


def pages():
    """Their names from the root."""
    names = {path.relative_to(ROOT).as_posix() for pattern in PAGES for path in ROOT.glob(pattern)}
    return sorted(names - PARTS)
