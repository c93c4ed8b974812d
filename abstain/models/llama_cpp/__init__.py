"""GGUF models in this process: every response once, with its prefix shared."""

from abstain.models.llama_cpp.model import LlamaCpp

__all__ = ["LlamaCpp"]
