"""The extension module by itself: maps and trainers as bytes."""

import numpy as np
import pytest

from askrff import _core
from core_maps import fourier, kernel, left, nystrom_map, right, rows


def test_maps_come_back_from_bytes(kernel, fourier, rows):
    maps = [
        fourier,
        _core.make_map(kernel, rows, n_frequencies=16, estimator="jordan", weights="exact", scale="standard").model_side(),
        _core.make_map(kernel, rows, estimator="best", n_frequencies=32),
        _core.make_map(kernel, rows, estimator="nystrom", n_frequencies=5),
        _core.make_map("linear", rows, scale="minmax", column_names=["a", "b", "c"]),
    ]
    for map in maps:
        again = _core.Map.from_bytes(*map.to_bytes())
        assert np.array_equal(left(again, rows), left(map, rows))
        assert (again.kind, again.side, again.reason, again.certificate) == (map.kind, map.side, map.reason, map.certificate)
        assert again.to_bytes() == map.to_bytes()


def own_kernel(differences):
    return np.exp(-((differences + 0.1) ** 2).sum(axis=1))


def test_a_function_goes_beside_the_bytes(rows, tmp_path):
    own = _core.callable_kernel(own_kernel, "own")
    map = nystrom_map(own, rows, scale="standard")
    content, kernel = map.to_bytes()
    assert kernel.function is own_kernel and (kernel.name, kernel.symmetric, kernel.is_callable) == ("own", False, True)
    again = _core.Map.from_bytes(content, kernel)
    assert again.kernel.function is own_kernel and again.to_bytes()[0] == content
    assert np.array_equal(left(again, rows), left(map, rows)) and np.array_equal(right(again, rows), right(map, rows))
    with pytest.raises(ValueError, match="lacks the kernel of its landmarks, expected it beside these bytes"):
        _core.Map.from_bytes(content)
    with pytest.raises(ValueError, match="landmarks of a kernel without a name cannot be kept in a file"):
        again.save(str(tmp_path / "map.askrff"))
    trainer = _core.RidgeTrainer(again)
    trainer.add(rows, rows[:, :1].copy())
    model, _ = _core.RidgeTrainer.from_bytes(*trainer.to_bytes()).solve([1.0])
    assert np.array_equal(_core.Model.from_bytes(*model.to_bytes()).outputs(rows), model.outputs(rows))
    for kind, (content, _) in ((_core.RidgeTrainer, trainer.to_bytes()), (_core.Model, model.to_bytes())):
        with pytest.raises(ValueError, match="lacks the kernel"):
            kind.from_bytes(content)


def test_bytes_that_hold_their_kernel_need_no_other(kernel, rows):
    own = _core.callable_kernel(own_kernel, "own")
    for map in (nystrom_map(kernel, rows), _core.make_map("linear", rows)):
        content, beside = map.to_bytes()
        assert beside is None and kernel.function is None
        with pytest.raises(ValueError, match="got the kernel own, expected none"):
            _core.Map.from_bytes(content, own)
    fitted = _core.make_map(own, rows, n_frequencies=32)  # waves know nothing of the function
    again = _core.Map.from_bytes(*fitted.to_bytes())
    assert again.kernel is None and np.array_equal(left(again, rows), left(fitted, rows))


@pytest.mark.parametrize("precision, tolerance", [("float64", 1e-9), ("float32", 1e-3)])
@pytest.mark.parametrize("n_folds", [1, 4])
def test_trainers_go_on_after_models_and_from_bytes(fourier, rows, precision, tolerance, n_folds):
    targets = np.hstack([rows[:, :1] ** 2, rows[:, :1] + 1e3])
    options = {"n_targets": 2, "n_folds": n_folds, "precision": precision, "seed": 9}
    grid = [0.5, 1, 2] if n_folds > 1 else [1.0]
    for map in (fourier, _core.make_map("linear", rows)):
        whole, pieces, restored = (_core.RidgeTrainer(map, **options) for _ in range(3))
        whole.add(rows, targets)
        for first in range(0, len(rows), 150):
            pieces.add(rows[first : first + 150], targets[first : first + 150])
            pieces.solve(grid)
            restored = _core.RidgeTrainer.from_bytes(*restored.to_bytes())
            restored.add(rows[first : first + 150].astype(np.float32).astype(np.float64), targets[first : first + 150])
        assert pieces.n_rows == restored.n_rows == len(rows) and restored.n_folds == n_folds
        (expected, cv), (same, same_cv), (close, _) = (trainer.solve(grid) for trainer in (whole, pieces, restored))
        assert same.to_bytes() == expected.to_bytes() and np.array_equal(same_cv.get("scores"), cv.get("scores"))
        np.testing.assert_allclose(close.outputs(rows), expected.outputs(rows), rtol=0, atol=max(tolerance, 1e-5))
