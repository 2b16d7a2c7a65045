"""Tests on real clusters, run by `make test-cluster` and not by the ordinary run."""

import numpy as np
import pytest

import askrff


class Problem:
    """Rows, targets and labels of three classes, with noise, and what one process makes of them."""

    def __init__(self):
        rng = np.random.default_rng(0)
        self.X = rng.normal(size=(6007, 4))
        wave = np.sin(2 * self.X[:, 0]) + self.X[:, 1] * self.X[:, 2] + 0.3 * rng.normal(size=len(self.X))
        self.y = wave
        self.labels = np.asarray(["low", "mid", "top"])[np.digitize(wave, [-0.5, 0.7])]
        self.two = (wave > 0).astype(np.int64)
        self.weights = rng.choice([0.0, 0.5, 1.0, 2.0], size=len(self.X))

    regressor = {"kernel": "sinh-gaussian", "n_features": 64, "random_state": 3}
    ridge = {"model": "ridge", "n_features": 48, "random_state": 1}
    svm = {"model": "svm", "n_features": 32, "C": [0.1, 1.0, 10.0], "random_state": 2}

    def svm_objective(self, model):
        """½‖w‖² + C Σ max(0, 1 - y f)² of two classes."""
        f = self.features(model) @ model.coef_[0] + model.intercept_[0]
        loss = np.maximum(0, 1 - (2 * self.two - 1) * f) ** 2
        return 0.5 * (model.coef_[0] @ model.coef_[0] + model.intercept_[0] ** 2) + model.C_ * loss.sum()

    def features(self, model):
        out = np.empty((len(self.X), model.n_features_out_))
        model._map.left(self.X, out, 1)
        return out


@pytest.fixture(scope="session")
def problem():
    return Problem()


@pytest.fixture(scope="session")
def single(problem):
    """The models of one process."""
    return {
        "regressor": askrff.FourierRegressor(**problem.regressor).fit(problem.X, problem.y),
        "ridge": askrff.FourierClassifier(**problem.ridge).fit(problem.X, problem.labels),
        "svm": askrff.FourierClassifier(**problem.svm).fit(problem.X, problem.two),
    }


def content(model):
    """All of a fitted model, as bytes."""
    return model._model.to_bytes()[0]
