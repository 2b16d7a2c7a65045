#!/usr/bin/env python3
"""Kernel matrices and kernels of pairs at rank 128: the error beside that of the truncated SVD, on unseen rows beside the certificate, and
scikit-learn's ways on the same input with what they leave of the asymmetry.

Three matrices: conditional probabilities as in stochastic neighbour embedding (row-normalised Gaussians, a bandwidth for every row), cosines
times a decay in time that is slow forwards and fast backwards, and A + A²/2 of a directed graph of 100 000 nodes with communities, sparse.
Directed graphs of FOLDER (cora-ml.npz, amazon-photo.npz) are measured too where they are there.

Usage: precomputed.py [--points N] [--nodes N] [--digraphs FOLDER] [--only NAME,…]; needs askrff. Prints tables in Markdown.
"""

import argparse
import pathlib
import resource
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import svds

from askrff import FourierFeatures, Kernel

RANK = 128


def peak_gib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def norm(K):
    return float(np.sqrt((K.data**2).sum()) if sp.issparse(K) else np.linalg.norm(K))


def error_of(K, left, right):
    """‖K - left·rightᵀ‖/‖K‖ without making the product."""
    squares = norm(K) ** 2
    cross = float(np.sum((K.T @ left) * right))
    approximate = float(np.sum((left.T @ left) * (right.T @ right)))
    return np.sqrt(max(squares - 2 * cross + approximate, 0) / squares)


def asymmetry(K):
    """‖K - Kᵀ‖/‖K‖."""
    return norm(K - K.T) / norm(K)


def asymmetry_of(left, right):
    """The same of left·rightᵀ."""
    both, turned = np.hstack([left, -right]), np.hstack([right, left])
    difference = np.sum((both.T @ both) * (turned.T @ turned))
    return np.sqrt(max(difference, 0) / np.sum((left.T @ left) * (right.T @ right)))


def best_error(K):
    """Of the truncated SVD of that rank."""
    rest = norm(K) ** 2
    if sp.issparse(K):
        values = svds(K, k=RANK, return_singular_vectors=False, random_state=0)
        return np.sqrt(max(rest - float(np.sum(values**2)), 0) / rest)
    return np.sqrt(np.sum(np.linalg.svd(K, compute_uv=False)[RANK:] ** 2) / rest)


def dense(K):
    return K.toarray() if sp.issparse(K) else K


class Table:
    def __init__(self, title, K, seen, unseen):
        """seen, unseen: numbers of rows, which are columns too."""
        self.train = K[seen][:, seen]
        self.new_rows, self.new_columns, self.new = K[unseen][:, seen], K[seen][:, unseen], K[unseen][:, unseen]
        self.has_asymmetry, self.best = asymmetry(self.train), best_error(self.train)
        size = f"{self.train.shape[0]} × {self.train.shape[1]}" + (f", {self.train.nnz} numbers" if sp.issparse(K) else "")
        print(f"\n## {title}: {size}, ‖K - Kᵀ‖/‖K‖ = {self.has_asymmetry:.3f}, truncated SVD at rank {RANK}: {self.best:.4g}\n")
        print("| way | seconds | error on training rows, over SVD's | on unseen rows | certificate | asymmetry kept | peak GiB |")
        print("|---|---|---|---|---|---|---|")

    def row(self, name, seconds, train, unseen=None, certificate=None):
        """train, unseen: pairs of factors."""
        error = error_of(self.train, *train)
        on_new = "" if unseen is None else f"{error_of(self.new, *unseen):.4g}"
        interval = "" if certificate is None else f"{certificate[0]:.4g} … {certificate[1]:.4g}"
        kept = asymmetry_of(*train) / self.has_asymmetry if self.has_asymmetry > 0 else float("nan")
        print(f"| {name} | {seconds:.2f} | {error:.4g}, {error / self.best:.3f} | {on_new} | {interval} | {100 * kept:.0f} % | {peak_gib():.2f} |", flush=True)

    def ours(self, name, **options):
        start = time.perf_counter()
        features = FourierFeatures(kernel="precomputed", n_features=RANK, random_state=0, **options).fit(self.train)
        seconds = time.perf_counter() - start
        train = features.transform(self.train), features.transform_right(self.train.T)
        self.row(name, seconds, train, (features.transform(self.new_rows), features.transform_right(self.new_columns.T)), features.error_interval_)

    def of_pairs(self, name, kernel, rows, new_rows):
        start = time.perf_counter()
        features = FourierFeatures(kernel=kernel, n_features=RANK, random_state=0).fit(rows)
        seconds = time.perf_counter() - start
        both = [(features.transform(some), features.transform_right(some)) for some in (rows, new_rows)]
        self.row(name, seconds, *both, features.error_interval_)

    def peers(self):
        """scikit-learn's, which know one side only: K̃ = Z·Zᵀ."""
        from sklearn.decomposition import KernelPCA
        from sklearn.kernel_approximation import Nystroem

        try:
            Nystroem(kernel="precomputed", n_components=RANK).fit(self.train)
        except ValueError as error:
            print(f"| Nystroem(kernel='precomputed').fit(K) | | refused: {str(error).splitlines()[0][:80]} | | | | |")
        landmarks = np.random.default_rng(0).permutation(self.train.shape[0])[:RANK]
        start = time.perf_counter()
        with_landmarks, new_with_landmarks = (dense(rows[:, landmarks]) for rows in (self.train, self.new_rows))
        peer = Nystroem(kernel="precomputed", n_components=RANK).fit(with_landmarks[landmarks])
        Z = peer.transform(with_landmarks)
        seconds = time.perf_counter() - start
        new = peer.transform(new_with_landmarks)
        self.row("Nystroem, given K(Z,Z) and K(X,Z) of 128 drawn rows", seconds, (Z, Z), (new, new))
        if sp.issparse(self.train):
            print("| KernelPCA(kernel='precomputed') | | needs K dense | | | | |")
            return
        start = time.perf_counter()
        Z = KernelPCA(kernel="precomputed", n_components=RANK, eigen_solver="randomized", random_state=0).fit_transform(self.train)
        seconds = time.perf_counter() - start
        self.row("KernelPCA(kernel='precomputed'), of K centred", seconds, (Z, Z))


def conditional_probabilities(X, perplexity=30.0):
    """p(j|i) = exp(-|x_i - x_j|²/2σ_i²)/Σ_k, σ_i by bisection so that the entropy is log(perplexity); 0 for j = i."""
    squares = np.sum(X**2, axis=1)
    distances = np.maximum(squares[:, None] + squares[None] - 2 * X @ X.T, 0)
    np.fill_diagonal(distances, np.inf)
    low, high = np.full(len(X), -20.0), np.full(len(X), 20.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        exponents = -np.exp(middle)[:, None] * distances
        exponents -= exponents.max(axis=1, keepdims=True)
        P = np.exp(exponents)
        P /= P.sum(axis=1, keepdims=True)
        entropy = -np.sum(P * np.log(np.maximum(P, 1e-300)), axis=1)
        low, high = np.where(entropy > np.log(perplexity), middle, low), np.where(entropy > np.log(perplexity), high, middle)
    return P


def clusters(n, dim, rng):
    return rng.normal(scale=3, size=(40, dim))[rng.integers(40, size=n)] + rng.normal(size=(n, dim))


def cosine_with_decay(X, Y):
    """Columns: a vector, then a time. Later things follow earlier ones for long, earlier ones later ones hardly."""
    cosines = (X[:, :-1] @ Y[:, :-1].T) / (np.linalg.norm(X[:, :-1], axis=1)[:, None] * np.linalg.norm(Y[:, :-1], axis=1)[None])
    lag = Y[:, -1][None] - X[:, -1][:, None]
    return cosines * np.exp(np.where(lag >= 0, -lag / 0.5, lag / 0.1))


def directed_graph(n_nodes, rng, n_communities=100, degree=16):
    """Edges go to nodes of the own community or the next, popular ones first (a node's weight is 1/rank)."""
    size = n_nodes // n_communities
    weights = np.cumsum(1 / np.arange(1, size + 1))
    sources = np.repeat(np.arange(n_nodes), degree)
    community = np.minimum(sources // size, n_communities - 1)
    community = (community + (rng.random(len(sources)) < 0.3)) % n_communities
    targets = community * size + np.searchsorted(weights, rng.random(len(sources)) * weights[-1])
    A = sp.csr_matrix((np.ones(len(sources)), (sources, np.minimum(targets, n_nodes - 1))), shape=(n_nodes, n_nodes))
    A.data[:] = 1
    order = rng.permutation(n_nodes)  # nothing is told by a node's number
    return A[order][:, order].tocsr()


def two_steps(A):
    K = (A + 0.5 * (A @ A)).tocsr()
    K.sum_duplicates()
    K.sort_indices()
    return K


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=3000)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--digraphs", type=pathlib.Path, default=pathlib.Path("../shared/data/digraphs"))
    parser.add_argument("--only", default="graph,sne,time,real")
    arguments = parser.parse_args()
    only, rng = arguments.only.split(","), np.random.default_rng(0)

    if "graph" in only:  # first: the peak of memory is that of this process so far
        n_new = 1000
        K = two_steps(directed_graph(arguments.nodes + n_new, rng))
        places = rng.permutation(K.shape[0])
        seen, unseen = np.sort(places[n_new:]), np.sort(places[:n_new])
        table = Table("A + A²/2 of a directed graph", K, seen, unseen)
        del K
        table.ours("askrff, all of K")
        table.ours("askrff, 320 landmarks", n_landmarks=320)
        table.peers()
        del table
    n = arguments.points
    seen, unseen = np.arange(n), np.arange(n, n + 1000)
    if "sne" in only:
        table = Table("Conditional probabilities", conditional_probabilities(clusters(n + 1000, 10, rng)), seen, unseen)
        table.ours("askrff, all of K")
        table.ours("askrff, 320 landmarks", n_landmarks=320)
        table.peers()
    if "time" in only:
        rows = np.hstack([clusters(n + 1000, 8, rng), rng.random((n + 1000, 1))])
        table = Table("Cosine times decay in time", cosine_with_decay(rows, rows), seen, unseen)
        table.ours("askrff, all of K")
        table.ours("askrff, 320 landmarks", n_landmarks=320)
        table.of_pairs("askrff, Kernel.from_pairs", Kernel.from_pairs(cosine_with_decay), rows[seen], rows[unseen])
        table.peers()
    for name in ("cora-ml", "amazon-photo") if "real" in only else ():
        path = arguments.digraphs / f"{name}.npz"
        if not path.exists():
            print(f"\n{name}: skipped, {path} is not there")
            continue
        with np.load(path) as file:
            edges, n_nodes = file["edges"], int(file["edges"].max()) + 1
        A = sp.csr_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n_nodes, n_nodes))
        K, places = two_steps(A), rng.permutation(n_nodes)
        table = Table(f"A + A²/2 of {name}", K, np.sort(places[n_nodes // 8 :]), np.sort(places[: n_nodes // 8]))
        table.ours("askrff, all of K")
        table.ours("askrff, 512 landmarks", n_landmarks=512)
        table.peers()


if __name__ == "__main__":
    main()
