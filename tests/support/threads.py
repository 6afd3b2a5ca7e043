"""Calls of services in threads of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection


def in_thread(service: Callable[..., Any], **arguments: Any) -> Any:
    """Call a service in a thread of its own, and close the connection of that thread."""
    try:
        return service(**arguments)
    finally:
        connection.close()
