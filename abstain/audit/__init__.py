"""The audit of misleading passages: counts, a second scan for leaks, and a sample for people to judge.

It uses none of the pipeline's own rules on leaks, so that one does not vouch for itself (GRAB-RAG, Appendix C).
"""
