"""Run a command with a private PostgreSQL and a private Redis.

``python -m scripts.services pytest -x`` starts both on free ports of the loopback interface, with
data in temporary folders, passes their addresses to the command in DATABASE_URL and REDIS_URL, and
stops them when the command has ended. A missing program is installed, or named if that fails.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

PATIENCE = 30.0
"""Timeout of a start, in seconds."""
PACKAGES = {"postgres": "postgresql", "redis": "redis-server"}
MISSING = """\
Missing, and could not be installed: {missing}.
  apt install {packages}          as root, on Debian
or put initdb and postgres, redis-server or valkey-server on the PATH."""
OWNER = "boardsite"
PR_SET_PDEATHSIG = 1


class Service:
    """A server program on ``port`` of the loopback interface, with its data in ``folder``. The
    command ``ready`` succeeds once it serves: PostgreSQL first accepts connections only to refuse
    them."""

    def __init__(
        self, command: Sequence[str], folder: Path, port: int, ready: Sequence[str] = ()
    ) -> None:
        self._command, self._folder, self.port = list(command), folder, port
        self._ready = list(ready)
        self._log = folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start or restart on the same port. Raises RuntimeError with the program's output."""
        with self._log.open("ab") as output:
            self.process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdout=output,
                stderr=output,
                user=database_user(),
                group=_group(),
                extra_groups=[] if os.geteuid() == 0 else None,
                preexec_fn=_die_with_parent,  # noqa: PLW1509  (this process has one thread)
            )
        if not self._answers():
            self.stop()
            raise RuntimeError(f"{self._command[0]} did not start:\n{self._log.read_text()}")

    def _answers(self) -> bool:
        deadline = time.monotonic() + PATIENCE
        while self.process and self.process.poll() is None and time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0 and self._serves():
                    return True
            time.sleep(0.05)
        return False

    def _serves(self) -> bool:
        return not self._ready or subprocess.run(self._ready, check=False).returncode == 0

    def stop(self, how: int = signal.SIGINT) -> None:
        """Send the signal ``how`` and wait for the end, with SIGKILL after `PATIENCE`."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def database_user() -> str | None:
    """Return the user that runs the services; None for the current user.

    PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _group() -> int | None:
    user = database_user()
    return None if user is None else pwd.getpwnam(user).pw_gid


def _die_with_parent() -> None:
    """Let Linux interrupt this process when its parent dies, even by SIGKILL."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def _folder() -> Iterator[Path]:
    """Create a temporary folder for `database_user`."""
    with tempfile.TemporaryDirectory(prefix="boardsite-services-") as name:
        if user := database_user():
            shutil.chown(name, user, _group())
        yield Path(name)


@contextmanager
def _running(service: Service) -> Iterator[Service]:
    try:
        service.start()
        yield service
    finally:
        service.stop()


# --- services -----------------------------------------------------------------------------


def find_postgres() -> Path | None:
    """Return the folder of initdb and postgres: Debian's newest, else the one on the PATH."""
    debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    found = sorted(debian, key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def find_redis() -> str | None:
    """Return the path of a Redis or Valkey server."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


@contextmanager
def postgres() -> Iterator[tuple[str, Service]]:
    """Run a private PostgreSQL and yield its DATABASE_URL and the service, which tests kill and
    restart. Raises RuntimeError without one."""
    programs = find_postgres()
    if programs is None:
        raise RuntimeError("There is no PostgreSQL here.")
    with _folder() as folder:
        password = secrets.token_hex(16)
        _make_cluster(programs, folder, password)
        port = _free_port()
        # The data need not survive a power cut, so commits do not wait for the disk.
        options = {"port": port, "listen_addresses": "127.0.0.1", "fsync": "off"}
        options |= {
            "unix_socket_directories": "",
            "max_connections": 300,
            "log_min_messages": "fatal",
        }
        command = [str(programs / "postgres"), "-D", str(folder / "data")]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        ready = [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        with _running(Service(command, folder, port, ready)) as service:
            yield f"postgres://{OWNER}:{password}@127.0.0.1:{port}/postgres", service


def _make_cluster(programs: Path, folder: Path, password: str) -> None:
    secret = folder / "password"
    secret.write_text(password)
    if user := database_user():
        shutil.chown(secret, user)
    command = [str(programs / "initdb"), "-D", str(folder / "data"), "--username", OWNER]
    command += ["--auth", "scram-sha-256", "--pwfile", str(secret)]
    command += ["--encoding", "UTF8", "--locale", "C", "--no-sync"]
    run = subprocess.run(
        command,
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        user=database_user(),
        group=_group(),
        extra_groups=[] if os.geteuid() == 0 else None,
    )
    if run.returncode != 0:
        raise RuntimeError(f"initdb failed:\n{run.stderr}")


@contextmanager
def redis() -> Iterator[tuple[str, Service]]:
    """Run a private Redis and yield its REDIS_URL and the service, which tests kill and restart.

    Raises RuntimeError without one."""
    program = find_redis()
    if program is None:
        raise RuntimeError("There is no Redis here.")
    with _folder() as folder:
        port = _free_port()
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
        command += ["--save", "", "--appendonly", "no"]
        with _running(Service(command, folder, port)) as service:
            yield f"redis://127.0.0.1:{port}/0", service


# --- the command --------------------------------------------------------------------------


def missing() -> list[str]:
    """Return the names in PACKAGES whose programs are missing."""
    found: dict[str, Callable[[], object]] = {"postgres": find_postgres, "redis": find_redis}
    return [name for name, find in found.items() if find() is None]


def _install(packages: Sequence[str]) -> None:
    """Try to install Debian packages."""
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    if os.geteuid() != 0:
        apt = ["sudo", "--non-interactive", *apt]
    if not (shutil.which("apt-get") and shutil.which(apt[0])):
        return
    print(f"Installing {' '.join(packages)}", file=sys.stderr)
    install = [*apt, "install", "--yes", "--no-install-recommends", *packages]
    for command in (install, [*apt, "update"], install):
        done = subprocess.run(command, check=False, stdout=sys.stderr).returncode == 0
        if done and command is install:
            return


def _stop(signum: int, frame: object) -> None:
    sys.exit(128 + signum)


def main(command: Sequence[str]) -> int:
    """Run the command beside both services and return its exit status."""
    signal.signal(signal.SIGTERM, _stop)
    if names := missing():
        _install([PACKAGES[name] for name in names])
    if names := missing():
        packages = " ".join(PACKAGES[name] for name in names)
        sys.exit(MISSING.format(missing=", ".join(names), packages=packages))
    with ExitStack() as running:
        database, _ = running.enter_context(postgres())
        hints, _ = running.enter_context(redis())
        variables = {"DATABASE_URL": database, "REDIS_URL": hints}
        variables |= {f"TEST_{name}": url for name, url in variables.items()}
        return subprocess.run(command, check=False, env={**os.environ, **variables}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
