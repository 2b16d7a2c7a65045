"""What has to be set before any test imports scipy."""

import os

# Without it scikit-learn skips its check of array API input, which is one of the contract's.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
