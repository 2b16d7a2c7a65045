"""Examples of the engines' modules and of docs/cluster.md run, and print what they say."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import sys

import numpy as np
import pandas as pd
import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["askrff.dask", "askrff.spark"])
def test_docstrings(name):
    package = importlib.import_module(name)
    modules = [importlib.import_module(f"{name}.{module.name}") for module in pkgutil.iter_modules(package.__path__)]
    results = [doctest.testmod(module) for module in [package, *modules]]
    assert sum(each.attempted for each in results) > 0 and sum(each.failed for each in results) == 0


def test_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for the files the examples write
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    blocks = re.findall(r"^```pycon\n(.*?)^```", (SOURCES / "docs" / "cluster.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 2
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "cluster.md", "cluster.md", 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_page_of_spark(tmp_path, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.uniform(size=(400, 3)), columns=["x1", "x2", "x3"])
    rows.assign(y=rows.x1 - rows.x2).to_parquet(tmp_path / "rows")
    (program,) = re.findall(r"^```python\n(.*?)^```", (SOURCES / "docs" / "cluster-spark.md").read_text(), flags=re.DOTALL | re.MULTILINE)
    names = {}
    monkeypatch.chdir(tmp_path)
    exec(program.replace("hdfs:///", f"file://{tmp_path}/"), names)
    names["spark"].stop()
    assert (tmp_path / "model").is_dir() and (tmp_path / "model.askrff").is_file()
