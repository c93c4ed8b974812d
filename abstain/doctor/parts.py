"""What answers, recognises, embeds and judges: whether it is there and works, short of loading a model's weights."""

from __future__ import annotations

from omegaconf import DictConfig

from abstain.assemble import assemble, construct
from abstain.doctor.finding import Finding, Verdict


def configuration(config: DictConfig) -> list[Finding]:
    """Whether the values are in range and the parts fit together."""
    fitting = assemble(config)
    return [Finding("configuration", Verdict.OK, f"{fitting.benchmark} under {fitting.policy.name}")]


def llama_cpp() -> list[Finding]:
    """The binding and what its build can do."""
    from abstain.models.llama_cpp.binding import binding

    built = binding()
    speed = "GPU offload" if built.llama_supports_gpu_offload() else "CPU only"
    return [Finding("llama.cpp", Verdict.OK, f"llama-cpp-python {built.__version__}, {speed}")]


def model(config: DictConfig) -> list[Finding]:
    """The configured model: its file, tokenizer and chat template, or its server."""
    return [Finding("model", Verdict.OK, construct(config.model).probe())]


def dataset(config: DictConfig) -> list[Finding]:
    """The configured questions, read whole."""
    questions = construct(config.dataset).load()
    return [Finding("dataset", Verdict.OK, f"{len(questions.questions)} questions of {questions.name}")]


def retriever(config: DictConfig) -> list[Finding]:
    """The encoder of the retriever, tried on one sentence."""
    scores = next(iter(construct(config.retriever).scores(["a test"], ["a passage"])))
    assert scores.shape == (1,)
    encoder = config.retriever.get("encoder")
    return [Finding("retriever", Verdict.OK, f"BM25 and the encoder {encoder}" if encoder else "BM25")]


def ner(config: DictConfig) -> list[Finding]:
    """The recogniser, tried on one sentence."""
    recogniser = construct(config.ner)
    found = recogniser.entities(["Marie Curie was born in Warsaw."])[0]
    return [
        Finding("ner", Verdict.OK, f"{config.ner.model}: {', '.join(entity.text for entity in found) or 'nothing'}")
    ]


def nli(config: DictConfig) -> list[Finding]:
    """The verifier of p4."""
    return [Finding("nli", Verdict.OK, construct(config.nli).probe())]
