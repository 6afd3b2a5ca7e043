"""Debian's Firefox, driven by its own protocol.

Playwright drives only a Firefox that it has patched, and geckodriver is in no package registry. The
protocol is JSON over a socket: https://firefox-source-docs.mozilla.org/testing/marionette/
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

START_SECONDS = 60
WAIT_SECONDS = 30
POLL_SECONDS = 0.03
PREFERENCES = {
    "marionette.port": 0,  # any free one, which is then in the file MarionetteActivePort
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.systemAddon.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # The proxy of `cut_network`, where nobody listens.
    "network.proxy.allow_hijacking_localhost": True,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.type": 0,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "data:,",
}


class Firefox:
    """A running Firefox with one window, and functions for its tabs."""

    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rb")
        self._connection = connection
        self._number = 0
        self._read()
        self.send("WebDriver:NewSession")

    def send(self, command: str, **parameters: Any) -> Any:
        """Send a command and return its result. Raises RuntimeError with the browser's message."""
        self._number += 1
        text = json.dumps([0, self._number, command, parameters])
        self._connection.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            byte = self._stream.read(1)
            if not byte:
                raise RuntimeError("Firefox has ended.")
            length += byte
        return json.loads(self._stream.read(int(length[:-1])))

    def open(self, address: str) -> None:
        """Open a page and wait until it has loaded."""
        self.send("WebDriver:Navigate", url=address)

    def back(self) -> None:
        """Press the button Back."""
        self.send("WebDriver:Back")

    def ask(self, script: str, *arguments: Any) -> Any:
        """Return the value of an expression on the page."""
        return self.send("WebDriver:ExecuteScript", script=f"return {script}", args=list(arguments))

    def wait_for(self, script: str, *arguments: Any) -> None:
        """Wait until an expression on the page is true. Raises AssertionError."""
        until = time.monotonic() + WAIT_SECONDS
        while not self._is_true(script, *arguments):
            assert time.monotonic() < until, f"{script} is still false"
            time.sleep(POLL_SECONDS)

    def _is_true(self, script: str, *arguments: Any) -> bool:
        try:
            return bool(self.ask(script, *arguments))
        except RuntimeError:
            # The page is being replaced by the next one.
            return False

    def click(self, selector: str) -> None:
        """Click the first element of a selector with the mouse."""
        self.wait_for("document.querySelector(arguments[0])", selector)
        self.click_on(self.ask("document.querySelector(arguments[0])", selector))

    def click_on(self, element: dict[str, str]) -> None:
        """Click an element with the mouse."""
        self.send("WebDriver:ElementClick", id=next(iter(element.values())))

    def double_click(self, selector: str, pause: int) -> None:
        """Click an element twice with ``pause`` milliseconds in between."""
        found = self.send("WebDriver:FindElement", using="css selector", value=selector)
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": found}
        actions = [move, *press, {"type": "pause", "duration": pause}, *press]
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        try:
            self.send("WebDriver:PerformActions", actions=[mouse])
        except RuntimeError as error:
            # The page that the first click opens may take the reply with it.
            if "cannot be cloned" not in str(error):
                raise

    def forget(self) -> None:
        """Delete the cookies of the site that is open, to be another visitor."""
        self.send("WebDriver:DeleteAllCookies")

    @contextmanager
    def cut_network(self) -> Iterator[None]:
        """End all connections, and let no new one through until the block ends."""
        self._run_in_browser("Services.prefs.setIntPref('network.proxy.type', 1)")
        self._run_in_browser("Services.obs.notifyObservers(null, 'net:cancel-all-connections')")
        try:
            yield
        finally:
            self._run_in_browser("Services.prefs.setIntPref('network.proxy.type', 0)")

    def _run_in_browser(self, script: str) -> None:
        """Run a script of the browser itself, not of the page."""
        self.send("Marionette:SetContext", value="chrome")
        self.send("WebDriver:ExecuteScript", script=script, args=[])
        self.send("Marionette:SetContext", value="content")

    def new_tab(self) -> str:
        """Open a tab, switch to it, and return the handle of the one before."""
        before: str = self.send("WebDriver:GetWindowHandle")
        self.switch_to(self.send("WebDriver:NewWindow", type="tab", focus=True)["handle"])
        return before

    def switch_to(self, handle: str) -> None:
        """Show a tab."""
        self.send("WebDriver:SwitchToWindow", handle=handle, focus=True)

    def close_tab(self, back_to: str) -> None:
        """Close the tab, and show another."""
        self.send("WebDriver:CloseWindow")
        self.switch_to(back_to)

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()
        self._connection.close()


@contextmanager
def start_firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """Run a Firefox without windows, with a new profile."""
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    command = [
        program,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--marionette",
        "--remote-allow-system-access",  # for `cut_network`
        "about:blank",
    ]
    log = profile / "firefox.log"
    with (
        log.open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True) as process,
    ):
        try:
            browser = Firefox(_connect(profile / "MarionetteActivePort", process))
            try:
                yield browser
            finally:
                browser.close()
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _connect(port_file: Path, process: subprocess.Popen[bytes]) -> socket.socket:
    """Return a connection as soon as the browser has written its port."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        port = port_file.read_text().strip() if port_file.exists() else ""
        if port:
            return socket.create_connection(("127.0.0.1", int(port)), timeout=START_SECONDS)
        time.sleep(POLL_SECONDS)
    raise RuntimeError("Firefox did not start.")
