"""The misleading condition: a gold passage whose answer is swapped for a plausible wrong one (GRAB-RAG, Appendix C).

``pool`` collects replacement candidates, ``locate`` finds the answer, the tiers (``numeric``, ``names``) propose edits,
``choose`` and ``filters`` pick the replacement, ``edits`` changes the passage, ``search`` runs a question through all
of it and ``find`` does so for a whole set, once.
"""

from abstain.conditions.swap.find import find_swaps

__all__ = ["find_swaps"]
