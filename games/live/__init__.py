"""Live boards: streams of server-sent events, from a hub in every process.

A stream carries whole boards, never differences, and a hint only says that a game has reached a
version. So even if some are lost or arrive twice, the next board is the newest."""
