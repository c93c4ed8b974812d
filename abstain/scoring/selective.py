"""Selective prediction: does the confidence rank right behaviour above wrong behaviour?"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def aurc(correct: ArrayLike, confidence: ArrayLike) -> float:
    r"""Area under the risk-coverage curve, as the mean of prefix risks (GRAB-RAG, Appendix A).

    Rows are taken in descending order of confidence, and the risks (shares of wrong behaviour) of the first 1, 2, ...,
    n of them are averaged. Rows of equal confidence have no order among themselves, so the expectation over all their
    orders is taken.

    Parameters
    ----------
    correct : array-like of shape (n_rows,)
        Whether the behaviour was right: answering correctly, or abstaining when it should.
    confidence : array-like of shape (n_rows,)
        Only its order matters.

    Returns
    -------
    float
        In 0..1, best 0; NaN with a warning when there are no rows.

    References
    ----------
    Geifman and El-Yaniv (2017), Selective Classification for Deep Neural Networks.

    Examples
    --------
    >>> round(aurc([0, 1, 1, 1], [90, 80, 70, 60]), 4)  # (1 + 1/2 + 1/3 + 1/4) / 4
    0.5208
    >>> aurc([0, 1, 1, 1], [50, 50, 50, 50])
    0.25
    """
    wrong, stated = 1.0 - np.asarray(correct, dtype=float), np.asarray(confidence)
    if wrong.size == 0:
        warnings.warn("AURC of no rows is undefined", stacklevel=2)
        return float("nan")
    group = confidence_groups(stated)
    return float(aurc_of_groups(np.bincount(group), np.bincount(group, weights=wrong)))


def confidence_groups(confidence: ArrayLike) -> NDArray[np.intp]:
    """Number the groups of equal confidence from the highest, 0, to the lowest; shape (n_rows,)."""
    stated = np.asarray(confidence)
    levels, group = np.unique(stated, return_inverse=True)
    return np.asarray(len(levels) - 1 - group, dtype=np.intp)


def aurc_of_groups(sizes: ArrayLike, errors: ArrayLike) -> Floats:
    """AURC of rows that are counted by group of equal confidence, for many resamples at once.

    Parameters
    ----------
    sizes, errors : array-like of shape (..., n_groups)
        Number of rows in each group, highest confidence first, and how many of them were wrong. Whole numbers.

    Returns
    -------
    ndarray of shape (...)
        NaN where there are no rows.

    Notes
    -----
    Let N rows with E errors stand before a group of s rows with e errors. The k-th row of the group has the expected
    prefix risk (E + k e / s) / (N + k) = e / s + (E - N e / s) / (N + k), so with harmonic numbers H the group adds
    e + (E - N e / s) (H(N + s) - H(N)) to the sum of prefix risks.
    """
    size, wrong = np.asarray(sizes, dtype=float), np.asarray(errors, dtype=float)
    reached = np.cumsum(size, axis=-1).astype(np.int64)
    total = reached[..., -1]
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, total.max() + 1))])
    spread = np.diff(harmonic[reached], axis=-1, prepend=0.0)
    before, wrong_before = reached - size, np.cumsum(wrong, axis=-1) - wrong
    risk = np.divide(wrong, size, out=np.zeros_like(size), where=size > 0)
    summed = (wrong + (wrong_before - before * risk) * spread).sum(axis=-1)
    area: Floats = np.divide(summed, total, out=np.full_like(summed, np.nan), where=total > 0)
    return area
