"""Live boards: streams of server-sent events, from a hub in every process.

A stream carries whole boards, never differences, and a hint only says which game has which version.
So whatever is lost or arrives twice, the next board is the newest.
"""
