"""Pages of the C++ reference: one for every public header, with what Doxygen read of it and the header itself."""

import re

from rst import rst, title


def sentence(path):
    """What the header says of itself: the comment it starts with, as one line."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.lstrip("/ "))
    return " ".join(lines)


def page(path):
    include = f"askrff/{path.name}"
    text = title(path.name) + f".. code-block:: cpp\n\n   #include <{include}>\n\n"
    text += f".. doxygenfile:: {path.name}\n\n"
    return text + f"The header\n----------\n\n.. literalinclude:: /include/{include}\n   :language: cpp\n"


def drop_private(folder):
    """Takes private members out of Doxygen's XML, where they are in any case."""
    for path in folder.glob("*.xml"):
        text = path.read_text()
        # Breathe would link the file a class is in to a page of its own, which is the page it stands on.
        public = re.sub(r"[ ]*<includes .*?</includes>\n", "", text)
        public = re.sub(r"[ ]*<sectiondef kind=\"private-[^\"]*\">.*?</sectiondef>\n", "", public, flags=re.DOTALL)
        if public != text:
            path.write_text(public)


def pages(headers, xml):
    drop_private(xml)
    made, rows = {}, []
    for path in sorted(headers):
        name = path.name.removesuffix(".hpp")
        made[f"{name}.rst"] = page(path)
        rows.append(f"   * - :doc:`{path.name} <{name}>`\n     - {rst(sentence(path))}\n")
    toctree = "".join(f"   {name.removesuffix('.rst')}\n" for name in made)
    made["index.rst"] = title("C++") + ".. list-table::\n   :widths: auto\n\n" + "".join(rows) + "\n.. toctree::\n   :hidden:\n\n" + toctree
    return made


def rst(text):
    """Text whose characters mean themselves."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)
