"""Named entities behind one small interface, for the misleading condition (GRAB-RAG, Appendix C)."""
