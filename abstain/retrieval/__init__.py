"""Scores of passages for questions: lexical (BM25), dense (sentence embeddings), and both (GRAB-RAG 4.3)."""
