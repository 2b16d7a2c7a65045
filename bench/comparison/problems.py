"""The data sets of the comparison: training rows, and test rows outside every fit, scaled the same way for every method."""
import numpy as np
from data_sets import COMMON, friedman1, libsvm
from scipy.spatial.distance import pdist
from sklearn.preprocessing import StandardScaler

MAX_TRAINING, MAX_TEST = 2000, 2000
N_MADE = MAX_TRAINING + MAX_TEST


def one_hot():
    """Twenty attributes of thirty values each, rare ones too, as 600 columns of 0 and 1; some of them add up to the class."""
    rng = np.random.default_rng(7)
    values = (30 * rng.uniform(size=(N_MADE, 20)) ** 2).astype(int)
    X = np.zeros((N_MADE, 600))
    X[np.repeat(np.arange(N_MADE), 20), (values + 30 * np.arange(20)).ravel()] = 1
    scores = X[:, :180] @ rng.normal(size=180)
    return X, (scores > np.median(scores)).astype(int), True


def outliers():
    """Friedman's first function; one value in a hundred is a thousand times too large."""
    X, y, has_classes = friedman1(N_MADE)
    X[np.random.default_rng(8).uniform(size=X.shape) < 0.01] *= 1000
    return X, y, has_classes


SETS = {
    **COMMON,
    "letter": lambda: libsvm("letter.libsvm.xz", 16),
    "friedman1": lambda: friedman1(N_MADE),
    "one-hot": one_hot,
    "outliers": outliers,
}
AS_THEY_ARE = {"one-hot"}  # columns of 0 and 1 are of one size already


class Problem:
    """Two thirds of the rows to train on, the others to judge by; columns to mean 0 and deviation 1 of the former."""

    def __init__(self, name):
        self.name = name
        X, y, self.has_classes = SETS[name]()
        order = np.random.default_rng(0).permutation(len(X))
        n_training = min(MAX_TRAINING, 2 * len(X) // 3)
        training, test = order[:n_training], order[n_training:][:MAX_TEST]
        self.X, self.y, self.X_test, self.y_test = X[training], y[training], X[test], y[test]
        if name not in AS_THEY_ARE:
            scaler = StandardScaler().fit(self.X)
            self.X, self.X_test = scaler.transform(self.X), scaler.transform(self.X_test)

    def median_gamma(self):
        """1/(2·median²) of the distances between training rows, exp(-gamma·distance²)."""
        distances = pdist(self.X[:1000])
        return float(1 / (2 * np.median(distances[distances > 0]) ** 2))

    def facts(self):
        return {
            "name": self.name,
            "n_training": len(self.X),
            "n_test": len(self.X_test),
            "n_columns": self.X.shape[1],
            "task": f"{len(np.unique(self.y))} classes" if self.has_classes else "numbers",
            "gamma": self.median_gamma(),
        }
