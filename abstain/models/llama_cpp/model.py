"""A GGUF model in this process, behind the Model protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from abstain.cpus import available_cpus
from abstain.errors import AbstainError
from abstain.hashing import file_sha256
from abstain.models.base import Request, by_prefix
from abstain.models.key import content_key, row_seed
from abstain.models.llama_cpp.binding import binding
from abstain.models.llama_cpp.draft import Draft, Limits
from abstain.models.llama_cpp.engine import write
from abstain.models.llama_cpp.parallel import ParallelEngine
from abstain.models.llama_cpp.resident import Resident
from abstain.models.llama_cpp.session import Load, Session
from abstain.models.llama_cpp.source import Source
from abstain.models.llama_cpp.template import Rendered
from abstain.models.llama_cpp.vocab import Vocab
from abstain.rows import Prompt, Response

_VOCAB: Resident[Vocab] = Resident()
_SESSION: Resident[Session] = Resident()


class LlamaCpp:
    """A GGUF file run by llama.cpp, greedy by default (GRAB-RAG, Appendix B).

    The file comes from exactly one of `path`, `hub_repo` (with `hub_file` and `revision`) and `package` (with
    `package_file`); `name` is what runs are logged under, the file's stem if None. `n_threads` None means all CPUs
    this process may use; the thread count changes no bit. `keep_reasoning` False ends a reply at its confidence.
    `hash_memory` is the file that remembers content hashes of model files. `parallel` above 1 decodes that many rows
    together and gives up bit-equality between runs of different neighbours.

    Nothing is loaded before it is needed: the vocabulary by `truncate` and `prepare`, the weights by `generate`. One
    model is resident per process, so two models' `generate` must not be interleaved when `parallel` is above 1.
    `prefix_tokens_saved` counts prompt tokens that `generate` found in the cache.
    """

    def __init__(
        self,
        name: str | None = None,
        path: str | None = None,
        hub_repo: str | None = None,
        hub_file: str | None = None,
        revision: str = "main",
        package: str | None = None,
        package_file: str | None = None,
        n_ctx: int = 4096,
        n_batch: int = 512,
        max_tokens: int = 512,
        context_tokens: int = 1500,
        n_gpu_layers: int = 0,
        n_threads: int | None = None,
        temperature: float = 0,
        seed: int = 42,
        parallel: int = 1,
        keep_reasoning: bool = True,
        flash_attn: bool = False,
        hash_memory: str | None = None,
    ) -> None:
        self._source = Source(path, hub_repo, hub_file, revision, package, package_file)
        _check_range("n_batch", n_batch, 1, None)
        _check_range("parallel", parallel, 1, n_batch)
        _check_range("max_tokens", max_tokens, 1, n_ctx - 1)
        _check_range("temperature", temperature, 0, None)
        self.name = name or Path(path or hub_file or package_file or "").stem
        self.context_tokens = context_tokens
        self.prefix_tokens_saved = 0
        self._n_ctx = n_ctx
        self._n_batch = n_batch
        self._n_gpu_layers = n_gpu_layers
        self._n_threads = n_threads or available_cpus()
        self._seed = seed
        self._parallel = parallel
        self._flash_attn = flash_attn
        self._limits = Limits(max_tokens, temperature, keep_reasoning)
        self._hash_memory = Path(hash_memory) if hash_memory else None

    def probe(self) -> str:
        """The file with its size and hash, once its vocabulary and chat template are read.

        Raises AbstainError for a file that cannot be used, and for GPU layers that the build cannot offload.
        """
        assert self._vocab().template
        if self._n_gpu_layers and not binding().llama_supports_gpu_offload():
            raise AbstainError(
                f"model.n_gpu_layers={self._n_gpu_layers} has no effect: this build of llama-cpp-python knows no GPU; "
                "build it with one (CMAKE_ARGS=-DGGML_CUDA=on), or set 0"
            )
        size = self._path.stat().st_size / 2**20
        return f"{self.name}: {self._path}, {size:.0f} MiB, sha256 {self.fingerprint}"

    def truncate(self, text: str, tokens: int) -> str:
        """The head of `text` that its first `tokens` tokens cover."""
        return self._vocab().head(text, tokens)

    def prepare(self, prompts: Sequence[Prompt]) -> list[Request]:
        """Render, tokenise and key the prompts, in order; raises AbstainError for one that does not fit `n_ctx`."""
        vocab = self._vocab()
        return [self._request(prompt, vocab) for prompt in prompts]

    def generate(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Answer the requests, those with the same prefix one after the other."""
        ordered = by_prefix(requests)
        if self._parallel > 1:
            engine = ParallelEngine(self._session(), self._vocab(), self._limits, self._parallel)
            yield from engine.answer(ordered)
            self.prefix_tokens_saved += engine.prefix_tokens_saved
            return
        for request in ordered:
            yield self._answer(request)

    def _answer(self, request: Request) -> Response:
        session = self._session()
        draft = Draft(request, self._vocab(), self._limits)
        try:
            self.prefix_tokens_saved += write(draft, session)
            return draft.response()
        except BaseException:
            # A row that broke off leaves the cache in an unknown state.
            session.clear()
            raise
        finally:
            draft.close()

    def _request(self, prompt: Prompt, vocab: Vocab) -> Request:
        rendered = vocab.template.render(prompt.system, prompt.user, prompt.cut)
        prefix, suffix = vocab.split(rendered)
        tokens = len(prefix) + len(suffix)
        if tokens > self._n_ctx - self._limits.max_tokens:
            raise AbstainError(
                f"question {prompt.question_id}: its {prompt.name} prompt has {tokens} tokens, and with "
                f"model.max_tokens={self._limits.max_tokens} it does not fit model.n_ctx={self._n_ctx}; "
                f"raise model.n_ctx or lower model.context_tokens={self.context_tokens}"
            )
        return Request(
            key=content_key(self._key_parts(prompt, rendered)),
            prompt=prompt,
            rendered=rendered.text,
            prefix=prefix,
            suffix=suffix,
            seed=row_seed(self._seed, prompt.trial, rendered.text),
        )

    def _key_parts(self, prompt: Prompt, rendered: Rendered) -> dict[str, object]:
        """All that can change a response. The thread count is left out: a test shows that it changes no bit."""
        return {
            "backend": "llama_cpp",
            "backend_version": binding().__version__,
            "model_sha256": self.fingerprint,
            "rendered": rendered.text,
            "cut": rendered.cut,
            "literal": rendered.literal,
            "grammar": prompt.grammar,
            "reply": prompt.reply,
            "choices": prompt.choices,
            "temperature": float(self._limits.temperature),
            "max_tokens": self._limits.max_tokens,
            "keep_reasoning": self._limits.keep_reasoning,
            "seed": self._seed,
            "trial": prompt.trial,
            "n_ctx": self._n_ctx,
            "n_batch": self._n_batch,
            "n_gpu_layers": self._n_gpu_layers,
            "gpu_offload": bool(binding().llama_supports_gpu_offload()),
            "flash_attn": self._flash_attn,
            "parallel": self._parallel,
        }

    @cached_property
    def _path(self) -> Path:
        return self._source.locate()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the model file, computed once per file and remembered."""
        return file_sha256(self._path, self._hash_memory)

    def _vocab(self) -> Vocab:
        return _VOCAB.get(self._path, lambda: Vocab(self._path))

    def _session(self) -> Session:
        load = Load(
            path=self._path,
            n_ctx=self._n_ctx,
            n_batch=self._n_batch,
            n_gpu_layers=self._n_gpu_layers,
            n_threads=self._n_threads,
            flash_attn=self._flash_attn,
            parallel=self._parallel,
        )
        return _SESSION.get(load, lambda: Session(load))


def _check_range(key: str, value: float, low: float, high: float | None) -> None:
    if value < low or (high is not None and value > high):
        bounds = f"at least {low}" if high is None else f"from {low} to {high}"
        raise AbstainError(f"model.{key}={value} is out of range; it is {bounds}")
