"""The import contracts of scripts/import_contracts.py break where they should."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract

from scripts.import_contracts import GamesStandAlone, LayersBesideGames, NoFileCycles


def make_graph(*imports: tuple[str, str]) -> ImportGraph:
    """Return a graph with a game called ludo and these imports."""
    graph = ImportGraph()
    for module in ("games", "games.ludo", "games.ludo.rules", "games.contract", "games.views"):
        graph.add_module(module)
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return graph


def is_kept(contract: type[Contract], graph: ImportGraph, **options: object) -> bool:
    checked = contract("name", {"root_packages": ["games"]}, options)
    return checked.check(graph, verbose=False).kept


def has_complete_layers(graph: ImportGraph) -> bool:
    options = {"containers": ["games"], "layers": ["views", "contract"], "exhaustive": "true"}
    return is_kept(LayersBesideGames, graph, **options)


def test_layers_need_not_name_the_games() -> None:
    assert has_complete_layers(make_graph(("games.views", "games.contract")))


def test_layers_refuse_an_upward_import() -> None:
    assert not has_complete_layers(make_graph(("games.contract", "games.views")))


def test_layers_refuse_a_module_in_no_layer() -> None:
    graph = make_graph()
    graph.add_module("games.stray")
    assert not has_complete_layers(graph)


def test_files_may_import_each_other_in_one_direction() -> None:
    assert is_kept(NoFileCycles, make_graph(("games", "games.ludo"), ("games.ludo", "games.views")))


def test_a_package_and_its_module_may_not_import_each_other() -> None:
    graph = make_graph(("games.ludo", "games.ludo.rules"), ("games.ludo.rules", "games.ludo"))
    assert not is_kept(NoFileCycles, graph)


def test_a_game_may_import_the_contract_and_nothing_else_of_the_site() -> None:
    assert is_kept(GamesStandAlone, make_graph(("games.ludo.rules", "games.contract")))
    assert not is_kept(GamesStandAlone, make_graph(("games.ludo.rules", "games.views")))


def test_nothing_outside_may_import_a_game() -> None:
    assert not is_kept(GamesStandAlone, make_graph(("games.views", "games.ludo.rules")))
