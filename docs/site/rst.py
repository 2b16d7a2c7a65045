"""reStructuredText for pages that are made of other things."""

import re


def rst(text):
    """Text whose characters mean themselves."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def title(text, underline="="):
    return f"{text}\n{underline * len(text)}\n\n"
