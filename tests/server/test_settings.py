"""Settings from environment variables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

import manage
from boardsite.environment import (
    env_folder,
    env_redis_url,
    env_sender,
    parse_database_url,
    parse_smtp_url,
)
from tests.support.servers.site_process import ROOT

NAME = "boards.example"


def settings_with(**variables: str) -> dict[str, Any]:
    """Return the settings made from environment variables."""
    source = (
        "import json\nfrom boardsite import settings\n"
        "found = {n: getattr(settings, n) for n in dir(settings) if n.isupper()}\n"
        "print(json.dumps(found, default=lambda it: getattr(it, '__fspath__', lambda: None)()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source],
        cwd=ROOT,
        env=os.environ | {"BOARDSITE_SECRET": "x"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_blanks_around_host_names_are_ignored() -> None:
    found = settings_with(BOARDSITE_HOSTS=f"{NAME}, www.{NAME} ,", BOARDSITE_HTTPS="1")
    assert found["ALLOWED_HOSTS"] == [NAME, f"www.{NAME}"]
    assert found["CSRF_TRUSTED_ORIGINS"] == [f"https://{NAME}", f"https://www.{NAME}"]


def test_hsts_is_for_this_host_and_not_for_its_domain() -> None:
    found = settings_with(BOARDSITE_HTTPS="1")
    assert found["SECURE_HSTS_SECONDS"]
    # Unset is off.
    assert not {"SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"} & set(found)


@pytest.mark.parametrize(("value", "expected"), [("True", True), ("YES", True), (" off ", False)])
def test_booleans_have_several_spellings(value, expected) -> None:
    found = settings_with(BOARDSITE_HTTPS=value, BOARDSITE_RATE_LIMITS=value)
    assert (found["HTTPS"], found["RATE_LIMITS"]) == (expected, expected)


def test_an_empty_variable_counts_as_unset(monkeypatch) -> None:
    names = [
        "BOARDSITE_DATA",
        "BOARDSITE_THREADS",
        "BOARDSITE_RATE_LIMITS",
        "DATABASE_URL",
        "REDIS_URL",
    ]
    empty = settings_with(**dict.fromkeys(names, " "))
    for name in names:
        monkeypatch.delenv(name, raising=False)
    assert settings_with() == empty


def test_the_data_folder_may_begin_with_a_tilde(tmp_path) -> None:
    found = settings_with(BOARDSITE_DATA="~/data", HOME=str(tmp_path))
    assert found["DATA_DIR"] == str(tmp_path / "data")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("BOARDSITE_HTTPS", "ja", "BOARDSITE_HTTPS is “ja”: write 1 for yes or 0 for no."),
        ("BOARDSITE_THREADS", "many", "BOARDSITE_THREADS is “many”: write a number"),
        ("BOARDSITE_THREADS", "0", "BOARDSITE_THREADS is “0”: write a number"),
        ("BOARDSITE_HOSTS", f"https://{NAME}/", f"BOARDSITE_HOSTS has “https://{NAME}/”"),
        ("BOARDSITE_HOSTS", f"www.{NAME},{NAME}:80", f"BOARDSITE_HOSTS has “{NAME}:80”"),
        ("BOARDSITE_HOSTS", f"www.{NAME} {NAME}", f"BOARDSITE_HOSTS has “www.{NAME} {NAME}”"),
        ("DATABASE_URL", "foo:word", "That is not the address of a database"),
        ("DATABASE_URL", "mysql://b:word@h/b", "That is not the address of a database"),
        ("REDIS_URL", "h:word", "REDIS_URL is no address of Redis or Valkey"),
    ],
)
def test_an_invalid_variable_is_refused_in_a_sentence(name, value, message) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_games"],
        cwd=ROOT,
        env=os.environ | {"BOARDSITE_SECRET": "x", name: value},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"The site cannot start: {message}")
    assert "word" not in done.stderr


def test_wildcards_and_addresses_are_hosts_too() -> None:
    names = f"*,.{NAME},192.0.2.7,[2001:db8::7]"
    assert settings_with(BOARDSITE_HOSTS=names)["ALLOWED_HOSTS"] == names.split(",")


@pytest.mark.parametrize(
    "address", ["redis://:a#word@h:6379/0", "redis://h:word/0", "redis://h:6379/0?word=1"]
)
def test_a_redis_url_that_the_client_cannot_parse_is_refused(monkeypatch, address) -> None:
    monkeypatch.setenv("REDIS_URL", address)
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL is no address") as error:
        env_redis_url("REDIS_URL")
    assert "word" not in str(error.value)


def test_a_missing_optional_package_is_named(monkeypatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://h:6379/0")
    for package in ("psycopg", "redis"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements-services\.lock"):
        parse_database_url("postgres://b@h/b")
    with pytest.raises(ImproperlyConfigured, match=r"requirements-services\.lock"):
        env_redis_url("REDIS_URL")


def test_a_site_with_a_secret_creates_its_folder_too(tmp_path) -> None:
    data = tmp_path / "new" / "data"
    settings_with(BOARDSITE_DATA=str(data))
    assert data.is_dir()


def test_a_folder_that_cannot_be_created_is_refused_in_a_sentence(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("BOARDSITE_DATA", f"{__file__}/data")
    with pytest.raises(ImproperlyConfigured, match=r"/data cannot be created .*BOARDSITE_DATA"):
        env_folder("BOARDSITE_DATA", tmp_path)


def test_every_command_refuses_an_unusable_database_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        cwd=ROOT,
        env=os.environ | {"BOARDSITE_SECRET": "x", "DATABASE_URL": f"sqlite:///{__file__}"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == "The database cannot be used: file is not a database\n"
    assert done.returncode == 1


def test_an_interrupted_command_ends_without_a_traceback(monkeypatch) -> None:
    def interrupted(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("django.core.management.execute_from_command_line", interrupted)
    with pytest.raises(SystemExit, match="Interrupted"):
        manage.main()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "smtp+tls://me%40there:a%2Fb@mail.example",
            ("mail.example", 587, "me@there", "a/b", True),
        ),
        ("smtps://me:secret@mail.example:4650", ("mail.example", 4650, "me", "secret", False)),
        ("smtp://localhost", ("localhost", 25, "", "", False)),
    ],
)
def test_one_url_names_the_mail_server(url: str, expected: tuple[Any, ...]) -> None:
    found = parse_smtp_url(url)
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS")
    assert tuple(found[f"EMAIL_{name}"] for name in names) == expected
    assert found["EMAIL_USE_SSL"] == url.startswith("smtps:")


@pytest.mark.parametrize(
    "url",
    ["secret", "smtp://:secret@", "https://me:secret@x", "smtp://x:secret", "smtp://x/secret"],
)
def test_a_wrong_url_of_a_mail_server_is_not_repeated(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="BOARDSITE_SMTP") as caught:
        parse_smtp_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "sender", ["", "boards", "Boards <boards>", "a@b.example\nBcc: c@d.example"]
)
def test_a_mail_server_needs_a_sender(monkeypatch: pytest.MonkeyPatch, sender: str) -> None:
    monkeypatch.setenv("BOARDSITE_MAIL_FROM", sender)
    with pytest.raises(ImproperlyConfigured, match="BOARDSITE_MAIL_FROM"):
        env_sender("BOARDSITE_MAIL_FROM")


def test_e_mail_is_offered_with_a_mail_server_alone() -> None:
    sender = "Boards <boards@boards.example>"
    found = settings_with(BOARDSITE_SMTP="smtp://mail.example", BOARDSITE_MAIL_FROM=sender)
    assert (found["HAS_EMAIL"], found["EMAIL_HOST"]) == (True, "mail.example")
    assert found["DEFAULT_FROM_EMAIL"] == sender
    assert settings_with(BOARDSITE_SMTP="")["HAS_EMAIL"] is False
