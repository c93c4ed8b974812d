"""Inference over questions: paired bootstrap, sign-flip permutation test, Holm's correction.

The resampling unit is the question with all its conditions and trials, so paired comparisons stay paired (DESIGN 5.6).
The draws go by the place of a question in the arrays: callers put the questions in an order of their own, such as by
id, so that the order of the rows changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_CHUNK = 1_000
"""Resamples drawn at once: bounds the memory at a few times 1,000 x questions x 8 bytes."""


def resampled_sums(values: ArrayLike, *, resamples: int = 10_000, seed: int) -> Floats:
    """Sums over questions drawn with replacement.

    Parameters
    ----------
    values : array-like of shape (n_questions, n_columns)
        What each question adds to each sum.
    resamples : int
        Number of resamples of the questions.
    seed : int
        Seed of the generator. Equal seeds draw equal questions, whatever the columns.

    Returns
    -------
    ndarray of shape (resamples, n_columns)
        All sums of a row are over the same questions, so what is computed from them is paired.

    Examples
    --------
    >>> resampled_sums([[1, 10]] * 4, resamples=2, seed=7)
    array([[ 4., 40.],
           [ 4., 40.]])
    """
    table = np.asarray(values, dtype=float)
    questions = len(table)
    sums = np.zeros((resamples, table.shape[1]))
    if questions == 0:
        return sums
    generator = np.random.default_rng(seed)
    for start in range(0, resamples, _CHUNK):
        rows = min(_CHUNK, resamples - start)
        drawn = generator.integers(questions, size=(rows, questions)) + questions * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * questions).reshape(rows, questions)
        sums[start : start + rows] = times.astype(float) @ table
    return sums


def bootstrap_ratios(numerators: ArrayLike, denominators: ArrayLike, *, resamples: int = 10_000, seed: int) -> Floats:
    """Bootstrap replicates of ratios of sums over questions.

    Parameters
    ----------
    numerators, denominators : array-like of shape (n_questions, n_statistics)
        What each question adds to the numerator and to the denominator of each statistic.
    resamples, seed : int
        As in `resampled_sums`.

    Returns
    -------
    ndarray of shape (resamples, n_statistics)
        Differences of two columns are paired. NaN where a resample leaves a denominator of zero.

    Examples
    --------
    >>> replicates = bootstrap_ratios([[1], [0], [1]], [[1], [1], [1]], resamples=1000, seed=7)
    >>> bool(abs(replicates.mean() - 2 / 3) < 0.03)
    True
    """
    both = np.hstack([np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)])
    top, bottom = np.hsplit(resampled_sums(both, resamples=resamples, seed=seed), 2)
    return np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom != 0)


def percentile_interval(replicates: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Lower and upper percentile bounds of each column of replicates.

    Undefined replicates are left out; the bounds are NaN only where all are undefined. A statistic that is the same
    in every resample has an interval of length zero.

    Examples
    --------
    >>> low, high = percentile_interval(np.array([[1.0, np.nan], [1.0, np.nan]]))
    >>> low, high
    (array([ 1., nan]), array([ 1., nan]))
    """
    tail = 100 * (1 - level) / 2
    defined = ~np.isnan(replicates).all(axis=0)
    low, high = np.full((2, replicates.shape[1]), np.nan)
    if defined.any():
        low[defined], high[defined] = np.nanpercentile(replicates[:, defined], [tail, 100 - tail], axis=0)
    return low, high


def sign_flip_exact(differences: Sequence[int | Fraction]) -> float:
    """Two-sided p-value of the sign-flip test on paired differences, over all sign patterns (ArcticAbstain 5.3).

    Parameters
    ----------
    differences : sequence of int or Fraction
        One a question. Being exact, they lie on a lattice (sixths, in ArcticAbstain), so sums that tie with the
        observed one are found as ties, and the distribution of the sum is one convolution a question.

    Returns
    -------
    float
        In 0..1; 1.0 when no difference is other than zero.

    Examples
    --------
    >>> sign_flip_exact([1, 1, 1])  # 2 of the 8 sign patterns reach |sum| >= 3
    0.25
    >>> sign_flip_exact([Fraction(1, 6), Fraction(-1, 6), 0])
    1.0
    """
    scale = lcm(*(Fraction(d).denominator for d in differences))
    steps = [int(d * scale) for d in differences if d != 0]
    if not steps:
        return 1.0
    unit = gcd(*steps)
    observed = abs(sum(steps)) // unit
    probability = np.ones(1)
    for step in (abs(step) // unit for step in steps):
        # Up or down by one step: the support widens by twice the step and stays centred on zero.
        wider = np.zeros(len(probability) + 2 * step)
        wider[: len(probability)] += probability / 2
        wider[2 * step :] += probability / 2
        probability = wider
    sums = np.abs(np.arange(len(probability)) - len(probability) // 2)
    return min(1.0, float(probability[sums >= observed].sum()))


def sign_flip_monte_carlo(differences: ArrayLike, *, draws: int = 20_000, seed: int = 7) -> float:
    """Two-sided p-value of the sign-flip test from random sign patterns: (b + 1) / (draws + 1).

    Parameters
    ----------
    differences : array-like of shape (n_questions,)
    draws, seed : int
        Number of random sign patterns and the seed of their generator; the defaults are those of ArcticAbstain.

    Returns
    -------
    float
        In 1 / (draws + 1)..1. Patterns that tie with the observed sum, up to rounding, count as extreme.

    Examples
    --------
    >>> sign_flip_monte_carlo([0.0, 0.0])
    1.0
    """
    values = np.asarray(differences, dtype=float)
    generator = np.random.default_rng(seed)
    least = abs(values.sum()) - 1e-9 * np.abs(values).sum()
    extreme = 0
    for start in range(0, draws, _CHUNK):
        rows = min(_CHUNK, draws - start)
        signs = generator.integers(2, size=(rows, values.size)) * 2.0 - 1.0
        extreme += int((np.abs(signs @ values) >= least).sum())
    return (extreme + 1) / (draws + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given; NaN stays NaN and is not part of the family.

    Examples
    --------
    >>> holm([0.01, 0.011])
    [0.02, 0.02]
    """
    adjusted = [float("nan")] * len(p_values)
    family = sorted((p, at) for at, p in enumerate(p_values) if not np.isnan(p))
    running = 0.0
    for rank, (p, at) in enumerate(family):
        running = max(running, min(1.0, p * (len(family) - rank)))
        adjusted[at] = running
    return adjusted
