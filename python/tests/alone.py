"""Scripts that run in a process of their own with the extension module alone: without the package around it that is quick."""

import subprocess
import sys
import textwrap

from askrff import _core

ALONE = f"""
import importlib.util
import numpy as np
found = importlib.util.spec_from_file_location("_core", {_core.__file__!r})
_core = importlib.util.module_from_spec(found)
found.loader.exec_module(_core)
"""


def output_of(script):
    result = subprocess.run([sys.executable, "-c", ALONE + textwrap.dedent(script)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()
