"""The llama.cpp binding, imported on first use and silenced.

The binding's ctypes functions have no useful static types, so it is handed out as ``Any``; the modules around it keep
the typed surface small.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_ERROR = 3
_last_error = ""


@cache
def binding() -> Any:
    """The ``llama_cpp`` module; its log is dropped but for the last error."""
    import llama_cpp

    llama_cpp.llama_log_set(_log_callback(llama_cpp), ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    return llama_cpp


def last_error() -> str:
    """The last line that llama.cpp logged as an error; empty if there was none."""
    return _last_error


@cache
def _log_callback(llama_cpp: Any) -> Any:
    """A log callback that is never collected: llama.cpp calls it until the process ends."""

    @llama_cpp.llama_log_callback  # type: ignore[untyped-decorator, unused-ignore]
    def keep_errors(level: int, text: bytes, _user_data: Any) -> None:
        global _last_error
        if level == _ERROR:
            _last_error = text.decode("utf-8", errors="replace").strip()

    return keep_errors
