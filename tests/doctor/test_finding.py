from abstain.doctor.finding import Finding, Verdict, examine
from abstain.errors import AbstainError


def test_what_a_check_found_is_kept():
    found = Finding("disk", Verdict.OK, "3 GiB")
    assert examine("disk", lambda: [found]) == [found]


def test_an_error_with_a_mend_becomes_a_failure_with_something_to_do():
    def check():
        raise AbstainError("store.url=postgresql://me:secret@db/x: connection refused; start the server")

    assert examine("store", check) == [
        Finding("store", Verdict.FAIL, "store.url=postgresql://me:***@db/x: connection refused", "start the server")
    ]


def test_a_check_that_breaks_is_a_failure_in_one_line():
    def check():
        raise OSError("no such\nplace")

    assert examine("disk", check) == [Finding("disk", Verdict.FAIL, "OSError: no such")]
