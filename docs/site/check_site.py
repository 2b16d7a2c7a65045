"""Looks at the pages of the site as they lie there: every link, anchor and picture inside it exists, nothing is loaded from elsewhere, and every
public name of Python, every public header and every subcommand has a page.

Usage: check_site.py SITE HEADERS…   Exit code 1: something is wrong, each failure on a line.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

import python_pages
from sphinx.ext.autodoc.mock import mock
from sphinx.util.inventory import InventoryFile

LOADED = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src", "video": "src", "object": "data"}


class Page(html.parser.HTMLParser):
    """Anchors of a page, and what it refers to: (tag, address)."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.references = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name") if tag == "a" else ("id",):
            if values.get(name):
                self.anchors.add(values[name])
        attribute = LOADED.get(tag, "href" if tag == "a" else None)
        if values.get(attribute):
            self.references.append((tag, values[attribute]))


def link_failures(site):
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    failures, external, n_links = [], set(), 0
    for path, page in pages.items():
        for tag, address in page.references:
            parts = urllib.parse.urlsplit(address)
            where = f"{path.relative_to(site)}: {address}"
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                external.add(address)
                if tag != "a":
                    failures.append(f"{where}: is loaded from another host")
                continue
            n_links += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                failures.append(f"{where}: there is no such file")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                failures.append(f"{where}: there is no such anchor")
    for path in site.rglob("*.css"):
        failures += [f"{path.relative_to(site)}: loads {address}" for address in re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", path.read_text())]
    return failures, external, len(pages), n_links


def coverage_failures(site, headers):
    failures, n_names = [], 0
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    documented = {name for kind, objects in inventory.items() if kind.startswith("py:") for name in objects}
    with mock(python_pages.MOCKED):
        known = {}
        for module in python_pages.public_modules():
            for name in module.__all__:
                n_names += 1
                value = getattr(module, name)
                full = known.setdefault(id(value), f"{module.__name__}.{name}") if callable(value) else f"{module.__name__}.{name}"
                if full not in documented:
                    failures.append(f"{module.__name__}.{name} has no page")
    for header in headers:
        page = site / "reference/cpp" / (header.stem + ".html")
        if not page.is_file():
            failures.append(f"{header} has no page")
    return failures, n_names


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    headers = [pathlib.Path(name) for name in sys.argv[2:]]
    broken, external, n_pages, n_links = link_failures(site)
    missing, n_names = coverage_failures(site, headers)
    for failure in broken + missing:
        print(f"check_site: {failure}")
    for address in sorted(external):
        print(f"not checked, on another host: {address}")
    print(f"{n_pages} pages, {n_links} links inside the site, {len(broken)} broken; {n_names} public names of Python and {len(headers)} headers, {len(missing)} without a page")
    return 1 if broken or missing else 0


if __name__ == "__main__":
    sys.exit(main())
