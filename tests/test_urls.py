from pathlib import Path

import pytest

from abstain.urls import sqlite_file, without_passwords


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql+psycopg://me:s3cret@host:5432/db", "postgresql+psycopg://me:***@host:5432/db"),
        ("url: postgresql://:p@ss@h/d and http://a:b@c", "url: postgresql://:***@h/d and http://a:***@c"),
        ("sqlite:////folder/me@home:x/responses.db", "sqlite:////folder/me@home:x/responses.db"),
        (r"store.url=postgresql\://me\:s3cret@host\:1/db", r"store.url=postgresql\://me\:***@host\:1/db"),
        ("http://host:5000/path", "http://host:5000/path"),
        ("postgresql://h/db?user=me&password=s3cret&a=b", "postgresql://h/db?user=me&password=***&a=b"),
        (r"store.url=postgresql\://h/db?password\=s3cret", r"store.url=postgresql\://h/db?password\=***"),
        ("'http://h/v1?api_key=s3cret' and more", "'http://h/v1?api_key=***' and more"),
        ("postgresql://me@host/db", "postgresql://me@host/db"),
    ],
)
def test_the_password_of_a_url_is_stars_and_nothing_else_changes(text, shown):
    assert without_passwords(text) == shown


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite:////folder/r.db", "/folder/r.db"),
        ("sqlite:///r.db", "r.db"),
        ("sqlite:///file:/folder/r.db?mode=ro&uri=true", "/folder/r.db"),
    ],
)
def test_the_file_behind_a_sqlite_url_is_the_one_that_sqlite_opens(url, file):
    assert sqlite_file(url) == Path(file)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "postgresql://h/db", "http://h:5000"])
def test_other_urls_have_no_file(url):
    assert sqlite_file(url) is None
