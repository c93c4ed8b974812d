from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

from abstain import schema
from tests.postgres import running

ROOT = Path(__file__).parents[1]
SHARED = ROOT / ".." / "shared"


@pytest.fixture
def composed():
    """Compose the configuration for some overrides, as the command line would."""
    schema.register()
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3", job_name="abstain"):
        yield lambda *overrides, hydra=False: compose("config", overrides=list(overrides), return_hydra_config=hydra)
    GlobalHydra.instance().clear()


@pytest.fixture
def shared():
    """The folder of real data beside the checkout; tests that need it skip where it is absent."""
    if not SHARED.exists():
        pytest.skip("../shared is not here")
    return SHARED


@pytest.fixture(scope="session")
def postgres():
    """A real PostgreSQL server; skips with the reason where there is none."""
    with running() as server:
        yield server
