"""Spark with real executors on this machine: processes of their own, one core each."""

import os
import sys

from pyspark.sql import SparkSession


def local_cluster(executors, memory, **more):
    """A session on so many executors of so many MiB; every file that it reads is a partition."""
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": f"{memory}m",
        "spark.log.level": "OFF",
        "spark.sql.files.openCostInBytes": "128m",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        **more,
    }
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,{memory}]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
