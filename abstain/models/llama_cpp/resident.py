"""What is loaded in this process: at most one of each kind, kept between jobs and freed at exit."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """Something that holds memory outside Python."""

    def close(self) -> None:
        """Free it."""


T = TypeVar("T", bound=Closable)


class Resident(Generic[T]):
    """Holds the object last asked for; asking with another key closes it first.

    The native memory is freed by an exit handler and not by a finaliser, because at interpreter shutdown the binding
    may be gone before the finalisers run.
    """

    def __init__(self) -> None:
        self._key: Hashable | None = None
        self._held: T | None = None
        atexit.register(self.release)

    def get(self, key: Hashable, load: Callable[[], T]) -> T:
        """The object for `key`, loaded if it is not the one held."""
        if self._held is None or self._key != key:
            self.release()
            self._held = load()
            self._key = key
        return self._held

    def release(self) -> None:
        """Close what is held, if anything."""
        if self._held is not None:
            self._held.close()
        self._held = self._key = None
