from __future__ import annotations

import hashlib

from abstain.models.key import content_key, row_seed


def test_the_key_is_the_hash_of_canonical_json_with_a_version() -> None:
    text = '{"a":1,"b":"\\u00e9","version":"abstain-response-2"}'
    assert content_key({"b": "é", "a": 1}) == hashlib.sha256(text.encode()).hexdigest()


def test_a_row_seed_depends_on_seed_trial_and_prompt() -> None:
    seeds = [row_seed(42, 1, "p"), row_seed(43, 1, "p"), row_seed(42, 2, "p"), row_seed(42, 1, "q")]
    assert len(set(seeds)) == 4
    assert row_seed(42, 1, "p") == seeds[0]
    assert all(0 <= seed < 2**64 for seed in seeds)
