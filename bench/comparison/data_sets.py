"""Data sets that several measurements share. Every loader returns (rows, targets, whether the targets are classes)."""
import lzma
import os

from sklearn import datasets


def libsvm(file, n_columns):
    """A file of $ASKRFF_SHARED_DIR/data (default ../shared/data)."""
    path = os.path.join(os.environ.get("ASKRFF_SHARED_DIR", os.path.join("..", "shared")), "data", file)
    with lzma.open(path) as text:
        X, y = datasets.load_svmlight_file(text, n_features=n_columns)
    return X.toarray(), y, True


COMMON = {
    "spambase": lambda: libsvm("spambase.libsvm.xz", 57),
    "ijcnn1": lambda: libsvm("ijcnn1.train.libsvm.xz", 22),
    "cod-rna": lambda: libsvm("cod-rna.train.libsvm.xz", 8),
    "digits": lambda: (*datasets.load_digits(return_X_y=True), True),
    "cancer": lambda: (*datasets.load_breast_cancer(return_X_y=True), True),
    "wine": lambda: (*datasets.load_wine(return_X_y=True), True),
    "diabetes": lambda: (*datasets.load_diabetes(return_X_y=True), False),
}


def friedman1(n_rows):
    return *datasets.make_friedman1(n_rows, noise=1.0, random_state=5), False
