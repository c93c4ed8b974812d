"""The type of every config key, so that a typo or a wrong type is refused when the config is composed.

Each option of a group names its schema in its own defaults list (``/schema/model@_here_: llama_cpp``). A component of
your own may come without one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, OmegaConf

from abstain.roots import outputs


@dataclass
class Config:
    """The root: one node a group, in the order of conf/config.yaml."""

    dataset: Any = MISSING
    condition: Any = MISSING
    model: Any = MISSING
    policy: Any = MISSING
    thresholds: Any = MISSING
    seed: Any = MISSING
    retriever: Any = MISSING
    ner: Any = MISSING
    nli: Any = MISSING
    task: Any = MISSING
    store: Any = MISSING
    tracking: Any = MISSING
    paths: Any = MISSING
    allow_targets: list[str] = field(default_factory=list)


@dataclass
class _Component:
    _target_: str = MISSING


@dataclass
class Ordered(_Component):
    """A data set whose questions have one fixed order."""

    name: str = MISSING
    limit: int | None = None
    sample_seed: int = 42
    pool_questions: int = 500


@dataclass
class FileDataset(Ordered):
    """A data set read from a local file."""

    path: str | None = None


@dataclass
class HubDataset(FileDataset):
    """A data set read from a local file or from the hub."""

    hub: str | None = None
    hub_config: str | None = None
    revision: str = "main"
    split: str = "validation"


@dataclass
class Contexts(_Component):
    """Context conditions of GRAB-RAG."""

    benchmark: str = MISSING
    names: list[str] = MISSING
    gold_in_q50: int = 3


@dataclass
class Choices(_Component):
    """Option conditions of ArcticAbstain."""

    benchmark: str = MISSING
    names: list[str] = MISSING


@dataclass
class LlamaCppModel(_Component):
    """A GGUF file in this process."""

    name: str = MISSING
    path: str | None = None
    hub_repo: str | None = None
    hub_file: str | None = None
    revision: str = "main"
    package: str | None = None
    package_file: str | None = None
    n_ctx: int = 4096
    n_batch: int = 512
    max_tokens: int = 512
    context_tokens: int = 1500
    n_gpu_layers: int = 0
    n_threads: int | None = None
    temperature: float = 0
    seed: int = 42
    parallel: int = 1
    keep_reasoning: bool = True
    flash_attn: bool = False
    hash_memory: str | None = None


@dataclass
class GgufModel(LlamaCppModel):
    """Any GGUF file of the user's."""

    path: str = MISSING


@dataclass
class OpenAIModel(_Component):
    """A server that speaks the OpenAI protocol."""

    name: str = MISSING
    base_url: str = MISSING
    api_key_env: str = "OPENAI_API_KEY"
    response_format: str = "json_schema"
    concurrency: int = 8
    max_retries: int = 5
    timeout: float = 120
    max_tokens: int = 512
    context_tokens: int = 1500
    temperature: float = 0
    seed: int = 42


@dataclass
class ScriptedModel(_Component):
    """Replies read from a file."""

    name: str = MISSING
    path: str = MISSING
    context_tokens: int = 1500


@dataclass
class Encoder:
    """A sentence encoder, loaded from the first of `path`, `package` and `hub` that is set."""

    path: str | None = None
    package: str | None = None
    hub: str | None = None
    revision: str = "main"
    query_prompt: str = ""


@dataclass
class Bm25Retriever(_Component):
    """Lexical retrieval."""

    top_k: int = 5


@dataclass
class DenseRetriever(Bm25Retriever):
    """Retrieval by embeddings."""

    encoder: str = MISSING
    encoders: dict[str, Encoder] = field(default_factory=dict)
    cache_dir: str = MISSING


@dataclass
class HybridRetriever(DenseRetriever):
    """Both, weighted."""

    alpha: float = 0.5


@dataclass
class SpacyNer(_Component):
    """spaCy's recogniser."""

    model: str = MISSING


@dataclass
class GlinerNer(_Component):
    """A GLiNER model."""

    model: str = MISSING
    revision: str = "main"
    threshold: float = 0.5
    overlap: int = 64
    batch_size: int = 1
    device: str = "cpu"
    hash_memory: str | None = None


@dataclass
class GeneratorNli(_Component):
    """The generator as NLI verifier."""


@dataclass
class TransformersNli(_Component):
    """A sequence classifier as NLI verifier."""

    model: str | None = None
    revision: str = "main"
    path: str | None = None
    batch_size: int = 16
    max_length: int = 512
    stride: int = 128
    device: str = "cpu"
    hash_memory: str | None = None


@dataclass
class Policy(_Component):
    """A rule over the passes it reads."""

    name: str = MISSING
    prompt: str = MISSING


@dataclass
class ChoicePolicy(_Component):
    """A multiple-choice prompt and how often it is asked."""

    name: str = MISSING
    prompt: str | None = None
    trials: int = 3


@dataclass
class Thresholds(_Component):
    """Cutoffs of the verifier policies."""

    f1: float = MISSING
    confidence: float = MISSING
    sweep_f1: list[float] = field(default_factory=list)
    sweep_confidence: list[float] = field(default_factory=list)


@dataclass
class Seed:
    """The construction seed."""

    value: int = MISSING


@dataclass
class Store(_Component):
    """Where responses are kept."""

    url: str = MISSING


@dataclass
class Tracking(_Component):
    """Where runs are logged."""

    uri: str = MISSING
    artifacts: str = MISSING
    experiment: str = MISSING


@dataclass
class Paths:
    """Where files go."""

    root: str = MISSING
    cache: str = MISSING


@dataclass
class Task(_Component):
    """What the entrypoint does; `tracked` tasks have a parent run in a sweep."""

    tracked: bool = False


@dataclass
class AuditTask(Task):
    """How many misleading passages to judge, and what was judged of them."""

    sample: int = 100
    sample_seed: int = 42
    filled: str | None = None


@dataclass
class ReportTask(Task):
    """Which runs a report is about, and where it goes."""

    name: str = "latest"
    experiment: str | None = None
    sweep_id: str | None = None
    tags: dict[str, Any] = field(default_factory=dict)
    audit: str | None = None


@dataclass
class CompactTask(Task):
    """What is removed from the store."""

    drop_models: list[str] = field(default_factory=list)


@dataclass
class ReplayTask(Task):
    """Recorded responses to analyse."""

    path: str = MISSING
    name: str = "replay"


_SCHEMAS: dict[str, dict[str, type[Any]]] = {
    "dataset": {"ordered": Ordered, "file": FileDataset, "hub": HubDataset},
    "condition": {"contexts": Contexts, "choices": Choices},
    "model": {"llama_cpp": LlamaCppModel, "gguf": GgufModel, "openai": OpenAIModel, "scripted": ScriptedModel},
    "retriever": {"bm25": Bm25Retriever, "dense": DenseRetriever, "hybrid": HybridRetriever},
    "ner": {"spacy": SpacyNer, "gliner": GlinerNer},
    "nli": {"generator": GeneratorNli, "transformers": TransformersNli},
    "policy": {"policy": Policy, "choice": ChoicePolicy},
    "thresholds": {"thresholds": Thresholds},
    "seed": {"seed": Seed},
    "store": {"store": Store},
    "tracking": {"tracking": Tracking},
    "paths": {"paths": Paths},
    "task": {"task": Task, "audit": AuditTask, "report": ReportTask, "replay": ReplayTask, "compact": CompactTask},
}


def register() -> None:
    """Make the schemas and the resolvers known to Hydra; calling it again changes nothing."""
    OmegaConf.register_new_resolver("abspath", lambda path: str(Path(path).absolute()), replace=True)
    OmegaConf.register_new_resolver("outputs", outputs, replace=True)
    OmegaConf.register_new_resolver("stem", lambda path: Path(path).stem, replace=True)
    store = ConfigStore.instance()
    store.store(name="schema", node=Config)
    for group, options in _SCHEMAS.items():
        for name, node in options.items():
            store.store(group=f"schema/{group}", name=name, node=node)
