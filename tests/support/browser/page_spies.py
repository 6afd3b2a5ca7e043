"""Spies in a page: its streams and heartbeats, its sounds, and whether its tab is hidden."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.support.browser.play import TIMEOUT_MS

# A headless browser shows all its tabs at once, so a test sets `hidden` itself.
SPIES = """
window.streams = []; window.heartbeats = 0; window.sounds = []; window.vibrations = [];
window.tabHidden = false;
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    window.streams.push(this);
    this.addEventListener("beat", () => { window.heartbeats++; });
  }
};
window.AudioContext = class extends AudioContext {
  createOscillator() {
    const tone = super.createOscillator();
    window.sounds.push(tone.frequency);
    return tone;
  }
};
navigator.vibrate = (pattern) => { window.vibrations.push(pattern); };
Object.defineProperty(document, "hidden", { get: () => window.tabHidden });
"""
"""A script to add to a page before it is opened."""


def open_streams(page: Page) -> int:
    """Return how many streams of the page are open."""
    return int(page.evaluate("streams.filter(stream => stream.readyState === 1).length"))


def heartbeats(page: Page) -> int:
    """Return how many heartbeats the page has received."""
    return int(page.evaluate("heartbeats"))


def tones(page: Page) -> list[int]:
    """Return the pitches of the tones that the page has played, in hertz."""
    return [round(pitch) for pitch in page.evaluate("sounds.map(({ value }) => value)")]


def vibrations(page: Page) -> list[object]:
    """Return the patterns of the page's vibrations."""
    return list(page.evaluate("vibrations"))


def set_hidden(page: Page, hidden: bool) -> None:
    """Hide the page's tab or show it."""
    page.evaluate("hidden => { window.tabHidden = hidden }", hidden)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until a condition is true; raise AssertionError after `TIMEOUT_MS`."""
    for _ in range(TIMEOUT_MS // 50):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("the condition stayed false")


def wait_for_heartbeat(page: Page) -> None:
    """Wait until the page has received another heartbeat."""
    before = heartbeats(page)
    wait_until(page, lambda: heartbeats(page) > before)
