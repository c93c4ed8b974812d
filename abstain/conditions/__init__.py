"""Which contexts, or which options, a question comes with."""
