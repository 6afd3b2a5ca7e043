"""A mail server on this machine that records e-mails, refuses them, or breaks the connection."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message


class MailServer(socketserver.ThreadingTCPServer):
    """An SMTP server. ``answers`` has the answer to a command by its first word, instead of OK;
    None breaks the connection. It never answers the command ``silent_at``, and counts in
    ``fell_silent`` how often; ``arrived`` counts the e-mails."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[Message] = []
        self.answers: dict[str, str | None] = {}
        self.silent_at = ""
        self.arrived, self.fell_silent = threading.Semaphore(0), threading.Semaphore(0)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.server_address[1])


class _Handler(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._say("220 mail.example")
        while line := self.rfile.readline():
            word = line.split()[0].decode().upper()
            answer = self.server.answers.get(word, "221 bye" if word == "QUIT" else "250 OK")
            if answer is None:
                return
            if word == "DATA" and answer == "250 OK":
                self._say("354 go on")
                self._read_message()
            if word == self.server.silent_at:
                self.server.fell_silent.release()
                self.rfile.read()
                return
            self._say(answer)
            if word == "QUIT":
                return

    def _say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())

    def _read_message(self) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in {b".\r\n", b""}:
            lines.append(line)
        self.server.received.append(message_from_bytes(b"".join(lines)))
        self.server.arrived.release()


@contextmanager
def run_mail_server() -> Iterator[MailServer]:
    """Run a mail server for the block."""
    with MailServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
