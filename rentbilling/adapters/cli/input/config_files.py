"""The file of `serve --config`: options by their names, in TOML.

Law: what the command does not know is refused, before anything is opened.
"""

import tomllib
from typing import Any

import click

from rentbilling.adapters.cli.streams import read_bytes


def take_config(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Take the options of a file, which the environment and the command line override.

    Raises:
        BadParameter: It is no TOML, or has an option or a kind of value that the command has not.
    """
    if value is None:
        return
    try:
        given = tomllib.loads(read_bytes(value).decode())
    except ValueError as error:
        raise click.BadParameter(f"{value} is no TOML: {error}.") from None
    known = {
        option.removeprefix("--"): each
        for each in ctx.command.params
        for option in each.opts
        if each is not param and each.name
    }
    if unknown := sorted(given.keys() - known.keys()):
        expected = ", ".join(sorted(known))
        said = f"{value} has {', '.join(map(repr, unknown))}; it can have {expected}."
        raise click.BadParameter(said)
    ctx.default_map = {
        str(known[name].name): _value(value, name, known[name], found)
        for name, found in given.items()
    }


def _value(file: str, name: str, option: click.Parameter, found: object) -> Any:  # noqa: ANN401
    """Return a value as click reads it; it reads texts alone as a command line has them."""
    values = found if option.multiple and isinstance(found, list) else [found]
    is_flag = isinstance(option, click.Option) and option.is_flag
    # True is 1 to Python, and no port.
    kinds = (bool,) if is_flag else (str, int, float)
    if not all(isinstance(each, kinds) and isinstance(each, bool) is is_flag for each in values):
        expected = "true or false" if is_flag else "a text or a number"
        expected = "a list of texts" if option.multiple else expected
        raise click.BadParameter(f"{file} has {name} = {found!r}; write {expected}.")
    texts = [each if is_flag else str(each) for each in values]
    return texts if option.multiple else texts[0]
