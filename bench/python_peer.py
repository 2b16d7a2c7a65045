"""The Python side of the benchmark: times scikit-learn and NumPy on request, one line of JSON per line of request.

Requests: "rbf DIM ROWS FEATURES" (one RBFSampler.transform), "normal COUNT" (one standard_normal),
"svmlight PATH" (one load_svmlight_file).
Answer: {"seconds": s} or {"error": text}.
The first line it prints, unasked, says what it is: {"sklearn": version, "numpy": version, "openblas": path or ""} or {"error": text}.
"""
import contextlib
import glob
import json
import math
import os
import sys
import time


def say(answer):
    print(json.dumps(answer), flush=True)


def openblas_of(numpy):
    """The OpenBLAS that NumPy's wheel brings along; "" if it brings none."""
    folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
    return next(iter(sorted(glob.glob(os.path.join(folder, "libscipy_openblas64_*.so")))), "")


class Peer:
    def __init__(self):
        import numpy
        import sklearn
        from sklearn.datasets import load_svmlight_file
        from sklearn.kernel_approximation import RBFSampler

        self.numpy, self.sampler_class, self.load = numpy, RBFSampler, load_svmlight_file
        self.description = {"sklearn": sklearn.__version__, "numpy": numpy.__version__, "openblas": openblas_of(numpy)}
        self.shape, self.data, self.sampler = None, None, None

    def prepare(self, shape):
        """Data and a fitted sampler for this shape; the latest is kept, so that one shape is asked for many times at no cost."""
        if shape == self.shape:
            return
        dim, rows, features = shape
        self.data = self.numpy.random.default_rng(1).standard_normal((rows, dim), dtype=self.numpy.float32)
        # sigma = sqrt(dim), as on the other side of the pipe.
        self.sampler = self.sampler_class(gamma=1 / (2 * dim), n_components=features, random_state=0).fit(self.data)
        self.shape = shape

    def rbf(self, dim, rows, features):
        self.prepare((dim, rows, features))
        start = time.perf_counter()
        result = self.sampler.transform(self.data)
        dtype = result.dtype
        del result  # giving the memory back counts, as it does on the other side
        seconds = time.perf_counter() - start
        if dtype != self.numpy.float32:
            raise RuntimeError(f"RBFSampler gave {dtype} for float32")
        return seconds

    def normal(self, count):
        generator = self.numpy.random.default_rng(2)
        start = time.perf_counter()
        generator.standard_normal(count)
        return time.perf_counter() - start

    def svmlight(self, path):
        start = time.perf_counter()
        self.load(path)
        return time.perf_counter() - start


def counts(text, n_arguments):
    numbers = [int(number) for number in text.split()]
    if len(numbers) != n_arguments or min(numbers) < 1:
        raise ValueError(f"{n_arguments} positive numbers expected")
    return numbers


def single_thread():
    """The environment says the same to libraries that read it; threadpoolctl tells those that have been loaded."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return contextlib.nullcontext()
    return threadpool_limits(1)


def serve(peer):
    requests = {
        "rbf": lambda text: peer.rbf(*counts(text, 3)),
        "normal": lambda text: peer.normal(*counts(text, 1)),
        "svmlight": peer.svmlight,
    }
    for line in sys.stdin:
        try:
            name, _, arguments = line.rstrip("\n").partition(" ")
            seconds = requests[name](arguments)
            if not (math.isfinite(seconds) and seconds > 0):
                raise RuntimeError(f"the clock showed {seconds} s")
            say({"seconds": seconds})
        except Exception as error:  # whatever it is, the other side must hear of it
            say({"error": f"{type(error).__name__}: {error}"})


def main():
    try:
        peer = Peer()
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
        return
    say(peer.description)
    with single_thread():
        serve(peer)


if __name__ == "__main__":
    main()
