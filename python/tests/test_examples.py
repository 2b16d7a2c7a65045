"""The examples run; each exits with 0 only if its numbers are right."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
ARGUMENTS = {
    "chimneys.py": [],
    "replace_rbfsampler.py": ["--seeds", "1"],
    "transport_with_wind.py": ["--size", "20000", "--sample", "20"],
    "singular_functions.py": ["--size", "400"],
}


def test_every_example_is_run():
    if not EXAMPLES.exists():
        pytest.skip("the examples are part of the sources, not of the package")
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(ARGUMENTS)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_example(name):
    if not EXAMPLES.exists():
        pytest.skip("the examples are part of the sources, not of the package")
    result = subprocess.run([sys.executable, EXAMPLES / name, *ARGUMENTS[name]], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
