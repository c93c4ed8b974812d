"""The misleading condition: a gold passage whose answer is swapped for a plausible wrong one (GRAB-RAG, Appendix C).

``pool`` collects replacement candidates, ``locate`` finds the answer, the tiers (``numeric``, ``names``) propose edits,
``choose`` and ``filters`` pick the replacement, ``edits`` changes the passage, ``search`` runs a question through all
of it and ``find`` does so for a whole set, once.

Every rule of the appendix is built. What goes beyond it serves fewer broken swaps (13% in the paper) and is said where
it is done, after the word "ours": kinds below the entity types (``kinds``), types corrected by the name itself
(``settle``) and by the question (``expect``), a cleaner pool (``pool``), no name of an unclear sort (``names``), years
in their order (``numeric``), settings and pronouns as preferences (``choose``), and a surname that changes with its
name (``names``).
"""

from abstain.conditions.swap.find import find_swaps

__all__ = ["find_swaps"]
