import dataclasses
import multiprocessing

import pytest

from abstain.errors import AbstainError
from abstain.rows import Response, Verdict
from abstain.store import Holding, Store
from abstain.urls import sqlite_file


def response(key, answer="Paris"):
    return Response(
        key=key, valid=True, decision="answer", answer=answer, confidence=90, reasoning="said", raw='{"…": "é"}',
        finish="complete", prompt_tokens=700, completion_tokens=30, seconds=1.5, probability=0.75,
        option_probabilities=(0.5, 0.25, 0.25),
    )  # fmt: skip


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "postgresql":
        return request.getfixturevalue("postgres").database()
    return f"sqlite:///{tmp_path}/new/folder/responses.db"


@pytest.fixture
def store(url):
    return Store(url)


def test_a_kept_response_comes_back_whole(store):
    store.keep(response("k1"), "m")
    assert store.find(["k1", "absent"]) == {"k1": response("k1")}
    assert store.known(["k1", "absent"]) == {"k1"}


def test_a_response_without_probabilities_comes_back_whole(store):
    bare = dataclasses.replace(response("k1"), probability=None, option_probabilities=())
    store.keep(bare, "m")
    assert store.find(["k1"])["k1"] == bare


def test_the_first_writer_of_a_key_wins(store):
    store.keep(response("k1", "first"), "m")
    assert store.keep(response("k1", "second"), "m").answer == "first"
    assert store.find(["k1"])["k1"].answer == "first"


def test_more_keys_than_one_query_admits_are_found(store):
    keys = [f"{i:04d}" for i in range(1203)]
    for key in keys[::100]:
        store.keep(response(key), "m")
    assert store.known(keys) == set(keys[::100])


def test_the_mean_time_of_a_model_is_over_its_own_responses(store):
    assert store.mean_seconds("m") is None
    store.keep(response("k1"), "m")
    store.keep(dataclasses.replace(response("k2"), seconds=0.5), "m")
    store.keep(dataclasses.replace(response("k3"), seconds=99), "other")
    assert store.mean_seconds("m") == 1.0


def test_verdicts_are_kept_once(store):
    store.keep_verdicts([Verdict("v", "neutral")])
    store.keep_verdicts([Verdict("v", "contradiction"), Verdict("w", "entailment")])
    assert store.find_verdicts(["v", "w", "x"]) == {"v": Verdict("v", "neutral"), "w": Verdict("w", "entailment")}


def _write(url, worker, barrier):
    barrier.wait()
    store = Store(url)
    for i in range(20):
        store.keep(response(f"k{i}", f"worker {worker}"), "m")


def test_processes_that_race_on_a_new_database_agree_on_one_answer_a_key(url):
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    workers = [context.Process(target=_write, args=(url, worker, barrier)) for worker in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert len(Store(url).find(f"k{i}" for i in range(20))) == 20


def test_a_bad_url_is_one_line_without_its_password(tmp_path):
    with pytest.raises(AbstainError, match=r"store\.url") as caught:
        Store("nonsense://me:secret@host/db").known(["k"])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["mysql://me:secret@host/db", "postgresql+nodriver://me:secret@host/db", "mssql://h/d"])
def test_a_database_that_is_not_supported_or_has_no_driver_is_one_line_with_the_mend(url):
    with pytest.raises(AbstainError, match=r"store\.url=.*give sqlite:////FILE, or postgresql") as caught:
        Store(url).known(["k"])
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "r.db").write_bytes(b"this is not a database at all, not even close" * 50)
    with pytest.raises(AbstainError, match=r"store\.url=.*r\.db.*not a database"):
        Store(f"sqlite:///{tmp_path}/r.db").known(["k"])


def test_a_damaged_response_is_named_with_what_removes_it(store):
    store.keep(response("k1"), "m")
    store.keep(response("k2"), "m")
    with store._connect() as connection:
        connection.exec_driver_sql("UPDATE responses SET option_probabilities = '[0.5, 0.' WHERE key = 'k1'")
        connection.commit()
    with pytest.raises(AbstainError, match=r"store\.url=.*response k1 is damaged") as caught:
        store.find(["k1", "k2"])
    statement = str(caught.value).rpartition("made again: ")[2]
    with store._connect() as connection:
        connection.exec_driver_sql(statement)
        connection.commit()
    assert store.find(["k1", "k2"]) == {"k2": response("k2")}


def test_a_store_of_another_version_is_refused_with_the_mend(tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "r.db") as connection:
        connection.execute("CREATE TABLE responses (key TEXT PRIMARY KEY, raw TEXT)")
    with pytest.raises(AbstainError, match=r"no such column.*another version of abstain made it: move the file away"):
        Store(f"sqlite:///{tmp_path}/r.db").find(["k"])


def test_a_store_that_may_not_be_written_says_so_when_a_response_is_kept(tmp_path):
    import sqlite3

    Store(f"sqlite:///{tmp_path}/r.db").known([])
    shut = Store(f"sqlite:///file:{tmp_path}/r.db?mode=ro&uri=true")
    with pytest.raises(AbstainError, match=r"store\.url=.*readonly database; make the file and its folder writable"):
        shut.keep(response("k1"), "m")
    assert sqlite3.connect(tmp_path / "r.db").execute("SELECT count(*) FROM responses").fetchone() == (0,)


def test_a_server_that_is_not_there_is_one_line_without_its_password():
    pytest.importorskip("psycopg")
    with pytest.raises(AbstainError, match=r"store\.url=postgresql.*refused.*start the server") as caught:
        Store("postgresql+psycopg://me:secret@127.0.0.1:1/db").known(["k"])
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


def test_the_holdings_name_each_model_with_its_responses_and_its_time(store):
    assert store.holdings() == []
    for key, model in (("k1", "b"), ("k2", "a"), ("k3", "b")):
        store.keep(response(key), model)
    assert store.holdings() == [Holding("a", 1, 1.5), Holding("b", 2, 3.0)]


def test_the_responses_of_a_dropped_model_are_gone_and_the_others_stay(store):
    for key, model in (("k1", "b"), ("k2", "a"), ("k3", "b")):
        store.keep(response(key), model)
    assert store.drop("b") == 2
    assert store.drop("b") == 0
    assert store.known(["k1", "k2", "k3"]) == {"k2"}


def test_compacting_gives_the_room_of_dropped_responses_back(store):
    for number in range(300):
        store.keep(response(f"k{number}", "a long answer " * 100), "m")
    full = store.size()
    assert full > 300 * 1400
    store.drop("m")
    store.compact()
    assert store.size() < full / 2


def test_a_sound_store_has_no_damage_and_a_torn_sqlite_file_has(tmp_path, url):
    store = Store(url)
    for number in range(300):
        store.keep(response(f"k{number}", "a long answer " * 100), "m")
    assert store.damage() == ""
    file = sqlite_file(url)
    if file is None:
        return
    store.compact()  # everything from the log into the file
    torn = file.read_bytes()
    (tmp_path / "torn.db").write_bytes(torn[:8192] + b"\xff" * 40_000 + torn[48_192:])
    assert Store(f"sqlite:///{tmp_path}/torn.db").damage()
