"""An import contract of ours, for import-linter (see pyproject.toml).

import-linter's own contracts name modules, with wildcards at most. Which folders are games is
found here, as the registry does it: the packages with a ``rules`` module. A fifth game needs
no edit.
"""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

SEAM = "games.contract"
KERNELS = "games.kernels"
FRAMEWORK = "django"


class GamesStandAlone(Contract):
    """A game's folder imports the seam, itself and libraries other than Django; nothing outside
    the folder imports from it. What compiles their searches is for the games alone: numba is loaded
    by nobody else."""

    type_name = "games_stand_alone"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every direct import between modules of the graph."""
        games = {
            module.removesuffix(".rules")
            for module in graph.modules
            if module.startswith("games.") and module.endswith(".rules")
        }
        broken = sorted(
            f"{importer} imports {imported}"
            for importer in graph.modules
            for imported in graph.find_modules_directly_imported_by(importer)
            if not _allowed(_folder(importer, games), _folder(imported, games), imported)
        )
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import that is not allowed."""
        for line in check.metadata["broken"]:
            output.print_error(line, bold=False)


def _folder(module: str, games: set[str]) -> str:
    """The game whose folder holds the module; '' for none."""
    package = ".".join(module.split(".")[:2])
    return package if package in games else ""


def _allowed(importer: str, imported: str, module: str) -> bool:
    if importer == imported and importer:
        return True
    if not importer:
        return not imported and module != KERNELS
    internal = module.split(".")[0] in {"games", "boardsite"}
    return module in {SEAM, KERNELS} if internal else module.split(".")[0] != FRAMEWORK
