"""Saved estimators and models of askrff.spark: a folder with the parameters as JSON and, of models, the bytes of a file of askrff."""

from __future__ import annotations

import json
from typing import Any

from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReader, MLWriter
from pyspark.sql.utils import is_remote

from .. import _core
from ..files import estimator_of


class Writer(MLWriter):
    """Writes path/metadata and, of a model, path/data."""

    def __init__(self, instance: Any) -> None:
        super().__init__()
        self.instance = instance

    def saveImpl(self, path: str) -> None:
        """Writes to a folder that is not there yet."""
        self.instance._require_json()
        spark, fitted = self.sparkSession, getattr(self.instance, "_fitted", None)
        metadata = DefaultParamsWriter._get_metadata_to_save(self.instance, spark, {"askrffVersion": _core.version})
        spark.createDataFrame([(metadata,)], "value string").coalesce(1).write.text(f"{path}/metadata")
        if fitted is not None:
            spark.createDataFrame([(self.instance._content().to_bytes()[0],)], "content binary").coalesce(1).write.parquet(f"{path}/data")

    def _handleOverwrite(self, path: str) -> None:
        if not is_remote():
            return super()._handleOverwrite(path)
        from pyspark.ml.connect.readwrite import RemoteMLWriter

        return RemoteMLWriter.handleOverwrite(path, True)


class Reader(MLReader):
    """Reads what Writer wrote, as an instance of the class it was."""

    def __init__(self, cls: type) -> None:
        super().__init__()
        self.cls = cls

    def load(self, path: str) -> Any:
        """The estimator or model in a folder."""
        spark = self.sparkSession
        metadata = json.loads(spark.read.text(f"{path}/metadata").first()[0])
        expected = f"{self.cls.__module__}.{self.cls.__name__}"
        if metadata["class"] != expected:
            raise ValueError(f"{path} holds a {metadata['class']}, expected a {expected}")
        instance = self.cls()
        instance._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(instance, metadata)
        if hasattr(instance, "_fitted"):
            content = bytes(spark.read.parquet(f"{path}/data").first()[0])
            instance._holding(estimator_of(instance._content_class.from_bytes(content)).set_params(**instance._local().get_params()))
        return instance
