"""The one error type that people see: a single line that names what is wrong and how to mend it."""

from hydra.errors import CompactHydraException


class AbstainError(CompactHydraException):
    """Bad input, named in one line; Hydra prints it without a traceback."""
