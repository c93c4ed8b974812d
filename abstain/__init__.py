"""abstain: measure when language models abstain, and when they should have."""

__version__ = "0.1.0"
