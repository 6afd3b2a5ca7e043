"""Import contracts of this project, for import-linter (see pyproject.toml).

The contracts of import-linter name modules, at most with wildcards. These find the games' folders
as the registry does, as packages with a ``rules`` module, so that a new game needs no edit.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output
from importlinter.contracts.layers import LayersContract

SEAM = "games.contract"
KERNELS = "games.contract.kernels"
FRAMEWORK = "django"


class LayersBesideGames(LayersContract):
    """A layers contract that can be exhaustive without naming the games' folders."""

    type_name = "layers_beside_games"

    def _get_undeclared_modules(self, graph: ImportGraph, containers: set[str]) -> set[str]:
        undeclared = super()._get_undeclared_modules(graph, containers)
        return undeclared - find_games(graph)


class GamesStandAlone(Contract):
    """A contract: a game's folder imports only the game contract, the kernels, itself, and
    libraries other than Django.

    Nothing outside the folder imports from it, and only games import the kernels, since numba takes
    a second to load."""

    type_name = "games_stand_alone"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return the check of every direct import in the graph."""
        games = find_games(graph)
        broken = sorted(
            f"{importer} imports {imported}"
            for importer in graph.modules
            for imported in graph.find_modules_directly_imported_by(importer)
            if not _is_allowed(_game_of(importer, games), _game_of(imported, games), imported)
        )
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import that is not allowed."""
        for line in check.metadata["broken"]:
            output.print_error(line, bold=False)


class NoFileCycles(Contract):
    """A contract: no file imports itself through others.

    ``acyclic_siblings`` compares the packages and modules of one parent; this contract also
    compares the ``__init__`` file of a package with its modules."""

    type_name = "no_file_cycles"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return the check of the graph of files, with the first cycle if there is one."""
        imports = {
            module: graph.find_modules_directly_imported_by(module) for module in graph.modules
        }
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            return ContractCheck(kept=False, metadata={"cycle": error.args[1][::-1]})
        return ContractCheck(kept=True)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the cycle."""
        output.print_error(" imports ".join(check.metadata["cycle"]), bold=False)


def find_games(graph: ImportGraph) -> set[str]:
    """Return the packages of the games."""
    return {
        module.removesuffix(".rules")
        for module in graph.modules
        if module.startswith("games.") and module.count(".") == 2 and module.endswith(".rules")
    }


def _game_of(module: str, games: set[str]) -> str:
    """Return the game whose folder holds the module; '' for none."""
    package = ".".join(module.split(".")[:2])
    return package if package in games else ""


def _is_allowed(importing_game: str, imported_game: str, imported: str) -> bool:
    if importing_game == imported_game and importing_game:
        return True
    if not importing_game:
        return not imported_game and imported != KERNELS
    is_internal = imported.split(".")[0] in {"games", "boardsite"}
    return imported in {SEAM, KERNELS} if is_internal else imported.split(".")[0] != FRAMEWORK
