"""The container image and the services of deploy/compose.yaml."""

from __future__ import annotations

import re

from tests.support.servers.deployment import read_deploy, read_hosting
from tests.support.servers.site_process import ROOT


def test_a_stopping_container_has_as_much_time_as_a_unit() -> None:
    # The default is ten seconds.
    site = read_deploy("compose.yaml").partition("\nservices:")[0]
    [seconds] = re.findall(r"^  stop_grace_period: (\d+)s$", site, re.MULTILINE)
    assert f"TimeoutStopSec={seconds}" in read_deploy("boardsite-computers.service").splitlines()


def test_containers_get_every_setting_of_their_file() -> None:
    # Without it a name, a key for notices or a token for metrics would not reach them.
    site = read_deploy("compose.yaml").partition("\nservices:")[0]
    assert "\n  env_file: .env\n" in site


def test_ipv6_visitors_keep_their_addresses() -> None:
    network = read_deploy("compose.yaml").partition("\nnetworks:")[2]
    assert "\n    enable_ipv6: true\n" in network
    # Docker before 27 chooses no subnet itself and would not start.
    assert re.search(r'subnet: "fd[0-9a-f:]+::/64"', network)


def test_an_initializing_database_is_not_healthy() -> None:
    # Until it is initialized it answers on its Unix socket only.
    assert re.search(r"pg_isready .*-h localhost\b", read_deploy("compose.yaml"))


def test_building_the_image_stores_no_secret_in_it() -> None:
    # The settings create and store a secret key where none is set.
    runs = re.findall(r"^(?:RUN|    &&) (.*manage\.py.*)", read_deploy("Dockerfile"), re.MULTILINE)
    assert runs
    assert all("BOARDSITE_SECRET=" in run for run in runs)


def test_the_build_context_holds_the_copied_files_only() -> None:
    copied = re.findall(r"^COPY (.*) \S+$", read_deploy("Dockerfile"), re.MULTILINE)
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert [line[1:] for line in lines if line.startswith("!")] == " ".join(copied).split()


def test_the_image_has_the_font_of_the_pictures() -> None:
    pictures = (ROOT / "games" / "presentation" / "pictures.py").read_text()
    assert 'font_family="DejaVu Sans"' in pictures
    assert re.search(r"apt-get install .*\bfonts-dejavu-core\b", read_deploy("Dockerfile"))
    assert re.search(r"apt install .*\bfonts-dejavu-core\b", read_hosting())


def test_images_are_pinned_to_one_release() -> None:
    written = read_deploy("Dockerfile") + read_deploy("compose.yaml")
    images = re.findall(r"^(?:FROM| +image:) (\S+)", written, re.MULTILINE)
    assert len(images) == 4
    assert all(re.search(r":[0-9]+\.[0-9]+(?:\.[0-9]+|-)", image) for image in images), images
