"""The Python side of the benchmark: measures scikit-learn, NumPy and the package askrff on request, one line of JSON per line of request.

Requests, each for one call and its seconds unless it says otherwise:
  "rbf DIM ROWS FEATURES"           RBFSampler.transform
  "features DIM ROWS FEATURES WAY"  FourierFeatures.transform; WAY is one of `Features.ways`
  "transport WHAT SIZE SAMPLE SEED" the example transport_with_wind.py; WHAT is one of `Transport.answers`
  "normal COUNT"                    standard_normal
  "svmlight PATH"                   load_svmlight_file
Answer: {"value": x} or {"error": text}.
The first line it prints, unasked, says what it is: {"sklearn": version, "numpy": version, "openblas": path or "", "askrff": version or "",
"askrff_trouble": why there is none or ""} or {"error": text}.
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


def one_line(error):
    return f"{type(error).__name__}: {error}".replace("\n", " ")


try:
    import numpy
    import sklearn
    from sklearn.datasets import load_svmlight_file
    from sklearn.kernel_approximation import RBFSampler
except Exception as error:  # whatever it is, the other side must hear of it
    say({"error": one_line(error)})
    sys.exit()

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python", "examples")


def openblas():
    """The OpenBLAS that NumPy's wheel brings along; "" if it brings none."""
    folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
    return next(iter(sorted(glob.glob(os.path.join(folder, "libscipy_openblas64_*.so")))), "")


def description():
    askrff, trouble = "", ""
    try:
        askrff = __import__("askrff").__version__
    except Exception as error:  # also a package that was built for another Python
        trouble = one_line(error)
    return {"sklearn": sklearn.__version__, "numpy": numpy.__version__, "openblas": openblas(), "askrff": askrff, "askrff_trouble": trouble}


def seconds_of(call):
    """The result is freed within the time, as it is on the other side of the pipe."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


class Latest:
    """Makes what is asked for and keeps the latest, so that the same is asked for many times at no cost."""

    def __init__(self, make):
        self.make, self.arguments, self.made = make, None, None

    def __call__(self, *arguments):
        if arguments != self.arguments:
            self.arguments = self.made = None  # give the memory back first
            self.made = self.make(*arguments)
            self.arguments = arguments
        return self.made


def normal_rows(dim, rows):
    return numpy.random.default_rng(1).standard_normal((rows, dim), dtype=numpy.float32)


def gamma_for(dim):
    """sigma = sqrt(dim), as on the other side of the pipe."""
    return 1 / (2 * dim)


class Sampler:
    """scikit-learn's features."""

    def __init__(self, dim, rows, features):
        self.rows = normal_rows(dim, rows)
        self.sampler = RBFSampler(gamma=gamma_for(dim), n_components=features, random_state=0).fit(self.rows)
        dtype = self.sampler.transform(self.rows[:1]).dtype
        if dtype != self.rows.dtype:
            raise RuntimeError(f"RBFSampler gives {dtype} for {self.rows.dtype}")

    def transform(self):
        self.sampler.transform(self.rows)


class Features:
    """askrff's features of the same rows and the same kernel, as many, on one thread."""

    def __init__(self, dim, rows, features):
        from askrff import FourierFeatures
        from askrff.features import aligned_empty

        self.aligned_empty = aligned_empty
        self.rows, self.shape = normal_rows(dim, rows), (rows, features)
        self.features = FourierFeatures(gamma=gamma_for(dim), n_frequencies=features // 2, weights="exact", n_jobs=1, random_state=0)
        self.features.fit(self.rows)
        shape = self.features.transform(self.rows[:1]).shape
        if shape != (1, features):
            raise RuntimeError(f"FourierFeatures gives {shape} for one row and {features} features")
        self.given, self.factors = Latest(self.empty), Latest(self.make_factors)

    def empty(self):
        return self.aligned_empty(self.shape, self.rows.dtype)

    def transform(self):
        self.features.transform(self.rows)

    def transform_given(self):
        self.features.transform(self.rows, out=self.given())

    def core(self):
        """What transform asks of the extension module, and the array it makes for the result."""
        self.features._map.left(self.rows, self.empty(), 1)

    def core_given(self):
        self.features._map.left(self.rows, self.given(), 1)

    def make_factors(self):
        """The approximate kernel matrix as our operator and as stored features, and a vector."""
        left, right = self.features.transform(self.rows), self.features.transform_right(self.rows)
        return self.features.operator(self.rows), left, right, numpy.ones(len(self.rows), self.rows.dtype)

    def products(self):
        operator, _, _, vector = self.factors()
        for _ in range(100):
            operator @ vector

    def stored_products(self):
        _, left, right, vector = self.factors()
        for _ in range(100):
            left @ (right.T @ vector)

    ways = {
        "transform": transform,
        "transform-given": transform_given,
        "core": core,
        "core-given": core_given,
        "products": products,
        "stored-products": stored_products,
    }


class Transport:
    """The example's scene, features and operator, on one thread."""

    def __init__(self, size, sample, seed):
        sys.path.append(EXAMPLES)
        import transport_with_wind

        self.example, rng = transport_with_wind, numpy.random.default_rng(seed)
        self.sources, self.strengths, self.targets = self.example.scene(size, rng)
        self.chosen = rng.choice(size, size=sample, replace=False)
        self.features = self.example.fitted_features(self.sources, self.targets, seed=seed, n_jobs=1)
        self.operator = self.features.operator(self.targets, self.sources)

    def product(self):
        return self.operator @ self.strengths

    def exact_sums(self):
        return self.example.exact_sums(self.features.kernel_, self.targets[self.chosen], self.sources, self.strengths, n_jobs=1)

    answers = {
        "product": lambda self: seconds_of(self.product),
        # Of all targets, which are as many as the sources.
        "sums": lambda self: seconds_of(self.exact_sums) * len(self.targets) / len(self.chosen),
        "error": lambda self: self.example.relative_error(self.product()[self.chosen], self.exact_sums()),
        "features": lambda self: self.features.n_features_out_,
        "peak": lambda self: self.example.peak_memory(),  # bytes, of all this process has done
    }


def counts(texts, n_arguments):
    numbers = [int(text) for text in texts]
    if len(numbers) != n_arguments or min(numbers) < 0:
        raise ValueError(f"{n_arguments} numbers expected, none negative")
    return numbers


class Peer:
    def __init__(self):
        self.sampler, self.features, self.transport = Latest(Sampler), Latest(Features), Latest(Transport)

    def answer_rbf(self, *texts):
        return seconds_of(self.sampler(*counts(texts, 3)).transform)

    def answer_features(self, *texts):
        features = self.features(*counts(texts[:-1], 3))
        return seconds_of(lambda: Features.ways[texts[-1]](features))

    def answer_transport(self, what, *texts):
        return Transport.answers[what](self.transport(*counts(texts, 3)))

    def answer_normal(self, *texts):
        generator, (count,) = numpy.random.default_rng(2), counts(texts, 1)
        return seconds_of(lambda: generator.standard_normal(count))

    def answer(self, request):
        name, _, rest = request.partition(" ")
        if name == "svmlight":  # a path may have spaces
            return seconds_of(lambda: load_svmlight_file(rest))
        return getattr(self, "answer_" + name)(*rest.split())


def single_thread():
    """The environment says the same to libraries that read it; threadpoolctl tells those that have been loaded."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return contextlib.nullcontext()
    return threadpool_limits(1)


def serve(peer):
    for line in sys.stdin:
        try:
            value = float(peer.answer(line.rstrip("\n")))
            if not (math.isfinite(value) and value > 0):
                raise RuntimeError(f"{value} was measured")
            say({"value": value})
        except Exception as error:
            say({"error": one_line(error)})


def main():
    say(description())
    with single_thread():
        serve(Peer())


if __name__ == "__main__":
    main()
