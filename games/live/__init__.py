"""Boards that follow the game: streams of server-sent events, and hints between processes.

A stream carries whole boards, never differences; a hint carries no more than which game has
which version. So whatever is lost or comes twice, the next board is the newest.
"""
