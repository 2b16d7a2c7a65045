"""A driver on which askrff is not whole: one sentence that says what is missing."""

import os
import shutil
import subprocess
import sys

import askrff


def import_error(tmp_path, missing, statement):
    package = os.path.dirname(askrff.__file__)
    shutil.copytree(package, tmp_path / "askrff", ignore=shutil.ignore_patterns(missing, "__pycache__"))
    result = subprocess.run([sys.executable, "-c", statement], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert result.returncode == 1
    return result.stderr.strip().splitlines()[-1]


def test_without_the_extension(tmp_path):
    for statement in ("import askrff", "import askrff.dask"):
        message = import_error(tmp_path / statement[-4:], "_core*.so", statement)
        assert message.startswith("ImportError: askrff cannot be used without its compiled module askrff._core")


def test_without_dask(tmp_path):
    (tmp_path / "dask").mkdir()
    (tmp_path / "dask" / "__init__.py").write_text("raise ImportError('none')")
    message = import_error(tmp_path, "nothing", "import askrff.dask")
    assert message == "ImportError: askrff.dask needs dask, which is not installed: pip install 'askrff[dask]'"
