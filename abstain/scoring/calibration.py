"""Calibration of the stated confidence: expected calibration error in its two common forms (GRAB-RAG, Appendix A).

Confidences are whole numbers from 0 to 100 and stay so: sums over whole numbers meet the edges of the bins exactly and
do not depend on the order of the rows.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]

_BINS = 10
_WIDTH = 10


def ece(correct: ArrayLike, confidence: ArrayLike) -> float:
    """Expected calibration error against the midpoints of the bins, the form of GRAB-RAG.

    Parameters
    ----------
    correct : array-like of shape (n_rows,)
        Whether the behaviour was right.
    confidence : array-like of shape (n_rows,)
        Whole numbers from 0 to 100. Ten bins of equal width, closed on the right; 0 belongs to the first.

    Returns
    -------
    float
        In 0..0.95, best 0; NaN with a warning when there are no rows. Rows that are right whenever they state 100
        still give 0.05, the distance from the midpoint of the last bin.

    References
    ----------
    Naeini et al. (2015), Obtaining Well Calibrated Probabilities Using Bayesian Binning.

    Examples
    --------
    >>> ece([False, False], [100, 100])
    0.95
    >>> ece([True, False], [30, 20])  # (|1 - 0.25| + |0 - 0.15|) / 2
    0.45
    """
    bins = _binned(correct, confidence)
    return bins.error(bins.rows * (_WIDTH * np.arange(_BINS) + _WIDTH // 2))


def ece_mean(correct: ArrayLike, confidence: ArrayLike) -> float:
    """Expected calibration error against the mean confidence of each bin.

    Parameters
    ----------
    correct, confidence : array-like of shape (n_rows,)
        As in `ece`.

    Returns
    -------
    float
        In 0..1, best 0; NaN with a warning when there are no rows.

    References
    ----------
    Guo et al. (2017), On Calibration of Modern Neural Networks.

    Examples
    --------
    >>> ece_mean([False, False], [100, 100])
    1.0
    """
    bins = _binned(correct, confidence)
    return bins.error(bins.stated)


@dataclass(frozen=True)
class _Binned:
    """Sums over the rows of each bin, arrays of shape (10,)."""

    rows: Integers
    right: Integers
    stated: Integers

    def error(self, expected: Integers) -> float:
        """Distance of accuracy from expectation, weighted by the size of the bins; `expected` is summed, in percent."""
        total = int(self.rows.sum())
        return float(np.abs(100 * self.right - expected).sum() / (100 * total)) if total else float("nan")


def _binned(correct: ArrayLike, confidence: ArrayLike) -> _Binned:
    right, stated = np.asarray(correct, dtype=np.int64), np.asarray(confidence)
    if stated.size == 0:
        warnings.warn("ECE of no rows is undefined", stacklevel=3)
    elif not np.issubdtype(stated.dtype, np.integer) or stated.min() < 0 or stated.max() > 100:
        raise ValueError("confidence must be whole numbers from 0 to 100")
    stated = stated.astype(np.int64)
    bins = np.maximum((stated + _WIDTH - 1) // _WIDTH - 1, 0)
    rows, hits, said = (np.zeros(_BINS, dtype=np.int64) for _ in range(3))
    np.add.at(rows, bins, 1)
    np.add.at(hits, bins, right)
    np.add.at(said, bins, stated)
    return _Binned(rows, hits, said)
