"""The search tree for three and four players, which grows along the players' preferences.

Each player plays for itself, as in max-n (Luckhardt and Irani 1986), but the value of a turn is the
mean of the values after it, and turns are visited most if that mean and the evaluation are high
(best first, after Coulom 2006 and Silver et al. 2017; no random games are played). The tree proves
decided games (Winands, Björnsson and Saito 2008): a player takes a certain win, and avoids another
player's while there is an alternative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from games.santorini.ai.jit import kernel
from games.santorini.ai.many import (
    OUT,
    TABLE,
    Table,
    after,
    can_close,
    chances,
    climbs_of,
    next_of,
    turns_of,
    winner_of,
)
from games.santorini.ai.tools import LIMIT, MOVES, NODES

MOVE, MOVER, FIRST, NUMBER, VISITS, WINNERS = range(6)
"""The data of a node: the move to it, the player then to move, its first child (0 before it has
any), the number of children, the visits, and the set of possible winners if the game is decided
there, else 0."""
TREE = "Tuple((int32[:, ::1], float32[:, ::1], float32[::1], int64[::1], int32[:, ::1]))"
Tree = tuple[Any, Any, Any, Any, Any]
"""Nodes int32 [., 6]; sums of chances float32 [., 4]; priors by the evaluation float32 [.];
counters as in `tools`, with the total number of nodes; weights."""
SIZE = 2
_EXPLORE = np.float32(1)
"""The weight of a turn's prior before it has been visited."""
_TEMPERATURE = np.float32(0.15)
"""The difference in chance by which a turn's prior is e times as large."""
_LONGEST = 250


def new_tree(player: int, nodes: int, weights: Any) -> Tree:
    """Return a tree with a root only, and room for ``nodes`` nodes."""
    size = nodes + 2 * MOVES
    tree = np.zeros((size, 6), dtype=np.int32), np.zeros((size, 4), dtype=np.float32)
    counters = np.zeros(3, dtype=np.int64)
    planted = *tree, np.zeros(size, dtype=np.float32), counters, weights
    plant(player, nodes, planted)
    return planted


def plant(player: int, nodes: int, tree: Tree) -> None:
    """Reset a tree to its root, with ``player`` to move, and let it grow to so many nodes."""
    tree[0][0], tree[1][0] = 0, 0
    tree[0][0, MOVER], tree[0][0, VISITS] = player, 1
    tree[3][[NODES, LIMIT, SIZE]] = 0, nodes, 1


@kernel(f"void(int64, int64, int64, {TABLE}, {TREE})")
def _judge(child: int, move: int, mover: int, table: Table, tree: Tree) -> None:
    """Fill in the node after a turn, with ``mover`` to move."""
    node, sums = tree[0][child], tree[1][child]
    node[MOVE], node[MOVER], node[FIRST], node[NUMBER], node[VISITS] = move, mover, 0, 0, 1
    winner = winner_of(table, mover)
    node[WINNERS] = int64(1) << winner if winner >= 0 else 0
    if winner >= 0:
        sums[:] = 0
        sums[winner] = 1
    else:
        chances(table, mover, tree[4], sums)


@kernel(f"void(int64, {TABLE}, int64[::1], {TREE})")
def _expand(parent: int, table: Table, moves: Any, tree: Tree) -> None:
    """Give a node its children. A player who has to stop a climb has no other turns."""
    nodes, sums, promise, counters, _ = tree
    player = int64(nodes[parent, MOVER])
    number = turns_of(table, player, moves)
    if number == 0:
        moves[0], number = OUT, 1
    first, threats = counters[SIZE], climbs_of(table, next_of(table, player))
    if moves[0] == OUT or threats & (threats - 1) or not can_close(table, player, threats):
        threats = int64(0)
    child, total = first, np.float32(0)
    for index in range(number):
        if threats and not threats >> (moves[index] >> 10) & 1:
            continue
        left = after(table, player, moves[index])
        _judge(child, moves[index], next_of(left, player), left, tree)
        promise[child] = np.exp(sums[child, player] / _TEMPERATURE)
        total += promise[child]
        child += 1
    promise[first:child] /= total
    nodes[parent, FIRST], nodes[parent, NUMBER] = first, child - first
    counters[SIZE] = child
    counters[NODES] += child - first


@kernel(f"int64(int64, {TREE})")
def _choose(parent: int, tree: Tree) -> int:
    """Return the child to visit: the one with the highest upper bound, but no certain loss if there
    is another."""
    nodes, sums, promise = tree[0], tree[1], tree[2]
    player, first = nodes[parent, MOVER], nodes[parent, FIRST]
    bonus = _EXPLORE * np.sqrt(np.float32(nodes[parent, VISITS]))
    best, most = first, np.float32(-2e9)
    for child in range(first, first + nodes[parent, NUMBER]):
        bound = (sums[child, player] + bonus * promise[child]) / nodes[child, VISITS]
        winners = nodes[child, WINNERS]
        if winners and not winners >> player & 1:
            bound -= np.float32(1e9)
        if bound > most:
            best, most = child, bound
    return int64(best)


@kernel(f"int64(int64, {TREE})")
def _best(parent: int, tree: Tree) -> int:
    """Return the child with the best chances for the player to move, with certain losses last."""
    nodes, sums = tree[0], tree[1]
    player, first = nodes[parent, MOVER], nodes[parent, FIRST]
    best, most = first, np.float32(-2)
    for child in range(first, first + nodes[parent, NUMBER]):
        mean, winners = sums[child, player] / nodes[child, VISITS], nodes[child, WINNERS]
        if winners and not winners >> player & 1:
            mean = np.float32(-1)
        if mean > most:
            best, most = child, mean
    return int64(best)


@kernel(f"int64(int64, {TREE})")
def _winners(parent: int, tree: Tree) -> int:
    """Return the set of possible winners of a game that is decided in a node; 0 if it is open.

    A player takes a possible win. Otherwise all children must be decided, and the player chooses
    among those where a win is possible."""
    nodes = tree[0]
    first, mine = nodes[parent, FIRST], int64(1) << nodes[parent, MOVER]
    with_me, without_me, is_open = int64(0), int64(0), False
    for child in range(first, first + nodes[parent, NUMBER]):
        winners = int64(nodes[child, WINNERS])
        if winners == mine:
            return mine
        if winners == 0:
            is_open = True
        elif winners & mine:
            with_me |= winners
        else:
            without_me |= winners
    return 0 if is_open else with_me or without_me


@kernel(f"void(int64[::1], int64, {TREE})")
def _back(path: Any, length: int, tree: Tree) -> None:
    """Add the chances at the end of a path to its nodes."""
    nodes, sums = tree[0], tree[1]
    found = np.zeros(4, dtype=np.float32)
    for place in range(length - 1, -1, -1):
        node = path[place]
        if nodes[node, NUMBER] and (place == length - 1 or nodes[path[place + 1], WINNERS]):
            nodes[node, WINNERS] = _winners(node, tree)
            source = _best(node, tree)
            found[:] = sums[source] / np.float32(nodes[source, VISITS])
        if place == length - 1 and not nodes[node, NUMBER]:
            found[:] = sums[node] / np.float32(nodes[node, VISITS])
        sums[node] += found
        nodes[node, VISITS] += 1


@kernel(f"int64({TABLE}, {TREE})")
def grow(root: Table, tree: Tree) -> int:
    """Grow the tree to its limit of nodes, or until the root is decided, and return the number of
    visits. The root gets children whatever the limit."""
    nodes, counters = tree[0], tree[3]
    path, moves = np.empty(_LONGEST, dtype=np.int64), np.empty(MOVES, dtype=np.int64)
    looks = int64(0)
    while nodes[0, WINNERS] == 0 and looks <= counters[LIMIT]:
        if nodes[0, NUMBER] and counters[NODES] + MOVES > counters[LIMIT]:
            break
        looks += 1
        table, node, length = root, int64(0), 1
        path[0] = 0
        while nodes[node, NUMBER] and length < _LONGEST:
            child = _choose(node, tree)
            table = after(table, int64(nodes[node, MOVER]), int64(nodes[child, MOVE]))
            path[length] = node = child
            length += 1
        if nodes[node, WINNERS] == 0 and nodes[node, NUMBER] == 0:
            _expand(node, table, moves, tree)
        _back(path, length, tree)
    return looks
