"""What is compared: every way of making features of a Gaussian kernel, with a number of columns, a gamma and a seed."""
from sklearn.kernel_approximation import Nystroem, RBFSampler

from askrff import FourierFeatures


def ours(n_columns, gamma, seed, **options):
    return FourierFeatures(n_features=n_columns, gamma=gamma, random_state=seed, n_jobs=1, **options)


OUR_DEFAULT, OUR_NYSTROM = "askrff", "askrff nystrom"
RBF_SAMPLER, THEIR_NYSTROEM = "RBFSampler", "Nystroem"
METHODS = {
    RBF_SAMPLER: lambda n_columns, gamma, seed: RBFSampler(gamma=gamma, n_components=n_columns, random_state=seed),
    THEIR_NYSTROEM: lambda n_columns, gamma, seed: Nystroem(gamma=gamma, n_components=n_columns, random_state=seed),
    OUR_DEFAULT: ours,
    OUR_NYSTROM: lambda n_columns, gamma, seed: ours(n_columns, gamma, seed, estimator="nystrom"),
}


def sides(features, X):
    """(left, right) features of the rows, K ≈ left·rightᵀ; of those that know one side only, the same twice."""
    left = features.transform(X)
    return left, features.transform_right(X) if hasattr(features, "transform_right") else left
