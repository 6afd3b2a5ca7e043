"""Documents agree with the repository: nothing that they name is missing."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

from boardsite.asgi import EVENTS
from scripts.sources import ROOT
from tests.support.documents import (
    anchors,
    blocks,
    code,
    content,
    defined_names,
    documents,
    files,
    links,
    section,
    table_rows,
    tree_paths,
)

README = "README.md"
ARCHITECTURE = "docs/architecture.md"
HOSTING = "docs/hosting.md"
BENCHMARKS = "docs/benchmarks.md"
CHANGELOG = Path("CHANGELOG.md")
LONGEST_README = 8_000

# The changelog may name things that are gone.
CURRENT = [path for path in documents() if path != CHANGELOG]
# Example games, files that a site or a command makes, and placeholders.
NOT_HERE = re.compile(
    r"deploy/\.env|games[/.]stairs|var/|\.venv/|boardsite\.sqlite3|secret_key|.*\b(?:NEW|OLD|NO_GLOVE|GLOVE)\.np."
)
PLACEHOLDERS = {"THE_PASSWORD", "LC_MESSAGES"}
TOP_FOLDERS = sorted({path.parts[0] for path in files() if len(path.parts) > 1})
PATH = re.compile(rf"(?<![\w/.<-])(?:{'|'.join(map(re.escape, TOP_FOLDERS))})/[\w./*<>-]*")
FILE_NAME = re.compile(
    r"[\w*-]+\.(?:py|jinja|html|css|js|md|toml|ya?ml|service|po|npy|npz|tsv|txt)"
)
MODULE = re.compile(
    r"(?<![\w/.])(?:games|boardsite|scripts|benchmarks|tests)(?:\.[A-Za-z_]\w*)+(?![\w/])"
)
VARIABLE = re.compile(r"(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w|\.np)")
OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")
OTHERS_COMMAND = re.compile(r"\b(?:docker|apt|systemctl|useradd|ntest|edax)\b")
ADDRESS = re.compile(r"/(?:g|new|join|rules|settings|admin)/\S*")
READS_VARIABLE = re.compile(
    r"""env\w*\(\s*"([A-Z_]+)"|os\.environ\.get\("([A-Z_]+)"|"([A-Z_]+)" (?:not )?in os\.environ"""
)


def exists(path: str, *, beside: Path) -> bool:
    """Return whether a path of a document is there; ``<slug>`` stands for any game's folder."""
    pattern = re.sub(r"<\w+>", "*", path).strip("/").removesuffix(".")
    return any(any(folder.glob(pattern)) for folder in (ROOT, ROOT / beside.parent))


@pytest.mark.parametrize("path", documents(), ids=str)
def test_links_lead_to_a_file_and_a_heading(path: Path) -> None:
    for link in links(content(path)):
        target, _, anchor = link.partition("#")
        found = (ROOT / path.parent / target) if target else ROOT / path
        assert found.exists(), link
        assert not anchor or anchor in anchors(found.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_paths_exist(path: Path) -> None:
    named = [found for text in code(content(path)) for found in PATH.findall(text)]
    missing = [name for name in named if not NOT_HERE.match(name) and not exists(name, beside=path)]
    assert missing == []


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_file_names_exist(path: Path) -> None:
    known = {path.name for path in files()}
    named = {text for text in code(content(path)) if FILE_NAME.fullmatch(text)}
    missing = {name for name in named - known if "*" not in name and not NOT_HERE.match(name)}
    assert missing == set()


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module, or a name that a module defines or imports."""
    path = ROOT / name.replace(".", "/")
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    module, _, last = name.rpartition(".")
    folder = ROOT / module.replace(".", "/")
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    if not file.is_file():
        # A method or an attribute of a class.
        return bool(module) and "." in module and is_module(module)
    return last in defined_names(file.relative_to(ROOT))


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_modules_exist(path: Path) -> None:
    named = {found for text in code(content(path)) for found in MODULE.findall(text)}
    missing = {name for name in named if not NOT_HERE.match(name) and not is_module(name)}
    assert missing == set()


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", content("Makefile"), re.MULTILINE))
    named = {
        found for text in code(content(path)) for found in re.findall(r"^\s*make ([a-z-]+)", text)
    }
    assert named <= targets


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_management_commands_exist(path: Path) -> None:
    named = {
        found
        for text in code(content(path))
        for found in re.findall(r"(?:manage\.py|deploy/manage) ([a-z]\w+)", text)
    }
    assert named <= set(get_commands())


@pytest.mark.parametrize("path", [path for path in files() if path.parts[0] == "deploy"], ids=str)
def test_management_commands_of_deploy_exist(path: Path) -> None:
    # In the forms of a shell, of compose and of Python.
    named = re.findall(r'(?:python|executable)"?,? "?manage\.py"?,? "?([a-z]\w+)', content(path))
    assert set(named) <= set(get_commands())


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_options_exist(path: Path) -> None:
    suffixes = {".py", ".service", ".css"}
    known = {
        option
        for path in files()
        if path.suffix in suffixes
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", content(path))
    }
    lines = [text for text in code(content(path)) if not OTHERS_COMMAND.search(text)]
    named = {found for line in lines for found in OPTION.findall(line)}
    assert named <= known


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_environment_variables_exist(path: Path) -> None:
    programs = "\n".join(content(path) for path in files() if is_program(path))
    named = {found for text in code(content(path)) for found in VARIABLE.findall(text)}
    assert {name for name in named - PLACEHOLDERS if name not in programs} == set()


def is_program(path: Path) -> bool:
    """Return whether a file reads or sets environment variables of the site."""
    return path.suffix == ".py" or path.parts[0] in {"deploy", "scripts", "Makefile"}


@pytest.mark.parametrize("path", CURRENT, ids=str)
def test_addresses_resolve(path: Path) -> None:
    named = {found for text in code(content(path)) for found in ADDRESS.findall(text)}
    for address in named:
        filled = re.sub(r"<\w+>", "1", address)
        try:
            assert EVENTS.fullmatch(filled) or resolve(filled)
        except Resolver404:
            pytest.fail(f"{address} is no address of the site")


def variables_read(*folders: str) -> set[str]:
    """Return the environment variables that the Python files of some folders read."""
    paths = [path for path in files() if path.suffix == ".py" and path.parts[0] in folders]
    found = [match for path in paths for match in READS_VARIABLE.findall(content(path))]
    return {name for names in found for name in names if name}


def first_codes(text: str) -> set[str]:
    """Return the code in the first cells of tables."""
    return {name for row in table_rows(text) for name in re.findall(r"`([^`]+)`", row[0])}


def test_every_setting_is_documented_for_operators() -> None:
    settings = variables_read("boardsite", "games")
    assert {"BOARDSITE_HOSTS", "DATABASE_URL", "NUMBA_CACHE_DIR"} <= settings
    assert settings <= first_codes(section(HOSTING, "Settings"))


def test_every_variable_of_deploy_is_documented_for_operators() -> None:
    text = "\n".join(content(path) for path in files() if path.parts[0] == "deploy")
    named = {
        name for name in VARIABLE.findall(text) if name.startswith(("BOARDSITE_", "POSTGRES_P"))
    }
    assert named <= first_codes(section(HOSTING, "Settings"))


def test_every_documented_setting_is_read() -> None:
    table = section(HOSTING, "Settings").partition("The files in")[0]
    read = variables_read("boardsite", "games")
    assert first_codes(table) - {"1", "0"} - read == {"FORWARDED_ALLOW_IPS"}


def test_every_variable_of_tests_and_scripts_is_documented_for_contributors() -> None:
    others = {"HOME", "COVERAGE_RUN", "PYTHONPATH"}
    variables = variables_read("tests", "scripts", "benchmarks") - others
    assert {"SOAK", "CHROMIUM"} <= variables
    documented = first_codes(content("CONTRIBUTING.md")) | first_codes(section(HOSTING, "Settings"))
    assert variables <= documented


def test_every_command_is_documented_for_operators() -> None:
    ours = {name for name, app in get_commands().items() if app in {"games", "boardsite"}}
    documented = {name.split()[0] for name in first_codes(section(HOSTING, "Commands"))}
    assert ours <= documented <= set(get_commands())


def test_the_options_of_documented_commands_exist() -> None:
    for name, about in table_rows(section(HOSTING, "Commands")):
        command = name.strip("`").split()[0]
        parser = load_command_class(get_commands()[command], command).create_parser("", command)
        own = [text for text in re.findall(r"`([^`]+)`", about) if text.startswith("--")]
        assert [option for option in own if option not in parser.format_help()] == []


def test_the_trees_name_what_is_there_and_every_package() -> None:
    trees = blocks(section(ARCHITECTURE, "Folders"), "text")
    named = {path for tree in trees for path in tree_paths(tree)}
    assert [path for path in named if not (ROOT / path).exists()] == []
    packages = {
        f"{path.parts[0]}/{path.parts[1]}/"
        for path in files()
        if path.parts[0] in {"games", "boardsite"} and len(path.parts) > 2
    }
    # Each game's folder has its own templates, styles and translations.
    assert packages - named == set()


def contracts() -> dict[str, list[str]]:
    """Return the layers of pyproject.toml by the package that they divide."""
    tools = tomllib.loads(content("pyproject.toml"))["tool"]["importlinter"]
    found = [contract for contract in tools["contracts"] if contract["type"].startswith("layers")]
    return {package: contract["layers"] for contract in found for package in contract["containers"]}


@pytest.mark.parametrize(("number", "package"), [(0, "games"), (1, "boardsite")])
def test_the_layers_are_those_of_import_linter(number: int, package: str) -> None:
    picture = blocks(section(ARCHITECTURE, "Layers"), "text")[number]
    assert picture.splitlines() == contracts()[package]


@pytest.mark.parametrize("title", ["Where to find it", "The road of a move"])
def test_files_define_the_names_beside_them(title: str) -> None:
    rows = table_rows(section(ARCHITECTURE, title))
    assert rows
    for _, file, names in rows:
        wanted = set(re.findall(r"`([^`]+)`", names))
        assert not wanted or wanted <= defined_names(file.strip("`")), file


def test_the_figures_of_the_readme_are_those_of_the_benchmarks() -> None:
    rows = table_rows(section(README, "Five figures"))
    assert len(rows) == 5
    for _, figure, link in rows:
        title = re.match(r"\[(.*?)\]\(docs/benchmarks\.md#", link)
        assert title, link
        cells = [cell for row in table_rows(section(BENCHMARKS, title[1])) for cell in row]
        assert figure in cells


def test_every_benchmark_program_is_documented() -> None:
    programs = {
        ".".join(path.with_suffix("").parts)
        for path in files()
        if path.parts[0] == "benchmarks" and '__name__ == "__main__"' in content(path)
    }
    assert programs
    named = set(MODULE.findall("\n".join(code(content(BENCHMARKS)))))
    assert programs <= named


def test_the_labels_that_the_readme_quotes_are_on_the_pages() -> None:
    catalogues = "\n".join(content(path) for path in files() if path.suffix == ".po")
    quoted = re.findall(r"(?<![*\w])\*([^*]+)\*(?![*\w])", section(README, "Play"))
    assert quoted
    # A label may go on after a comma: "Computer, level 2 of 6".
    labels = {re.escape(" ".join(label.split())) for label in quoted}
    assert [label for label in labels if not re.search(f'msgid "{label}[",]', catalogues)] == []


def test_the_readme_stays_short() -> None:
    assert len(content(README)) < LONGEST_README


def test_every_picture_is_shown() -> None:
    shown = {Path(link) for path in documents() for link in links(content(path))}
    pictures = {path for path in files() if path.parts[:2] == ("docs", "pictures")}
    assert pictures <= shown


@pytest.mark.parametrize("path", documents(), ids=str)
def test_examples_are_true(path: Path) -> None:
    examples = "\n".join(blocks(content(path), "python") + blocks(content(path), "pycon"))
    test = doctest.DocTestParser().get_doctest(examples, {}, str(path), str(path), 0)
    failures, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert failures == 0
