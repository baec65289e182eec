"""Sessions: what somebody types at a shell, and everything that comes of it.

`=== ` begins a session with its title. Text follows, such as the sum by hand, and then commands
behind `$ `, each with what it prints: stdout as it is, stderr behind `! `, and `(exit 3)` at their
end where the code is not 0. A session runs in an empty folder of its own and in this process.
` | `, ` > `, ` < `, `<<END`, and `COLUMNS=40` in front of a command work as in a shell.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.sessions.programs import PROGRAMS
from tests.support.command_line import run

_END: Final = "<<END"
_WORDS: Final = {
    re.compile(r"Usage: rentbilling.*\nTry 'rentbilling.*' for help\.\n\n"): "(usage) ",
    re.compile(r"[\d,]+ a second"): "N a second",
    re.compile(r"Matplotlib is building the font cache.*\n"): "",
    re.compile(r"(damaged or cut short: |Error: \S+: (?=Failed)).*?(?= \(met|\n)"): r"\1…",
    re.compile(r"\r\n"): "\n",
}
"""What is not the same every time, or is said by other packages, and the words in its place."""
_UNSEEN: Final = re.compile(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]")


class Session(NamedTuple):
    """What a file says of one session."""

    path: Path
    title: str
    text: str

    def played(self) -> str:
        """Run its commands, and return the text as it should be."""
        found, lines, is_output = list[str](), iter(self.text.splitlines()), False
        for line in lines:
            if line.startswith("$ "):
                given = [*iter(lines.__next__, "END"), "END"] if line.endswith(_END) else []
                document = "".join(f"{each}\n" for each in given[:-1])
                found += [line, *given, *_ran(line[2:], document)]
                is_output = True
            elif not is_output:
                found.append(line)
        return "\n".join(found) + "\n"


def sessions() -> Iterator[Session]:
    for path in sorted(Path(__file__).parent.glob("*.txt")):
        for each in re.split("^=== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            yield Session(path, each.partition("\n")[0], each.rstrip("\n") + "\n")


def commands_of(line: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Give the commands of a line, each with what is set in its environment."""
    for part in line.removesuffix(_END).split(" | "):
        words, settings = shlex.split(part), dict[str, str]()
        while "=" in words[0]:
            name, _, settings[name] = words.pop(0).partition("=")
        yield settings, words


def _ran(line: str, document: str) -> list[str]:
    """Run the commands of a line, each with the output of the one before; return what is seen."""
    given, said, code = document.encode(), "", 0
    for settings, (program, *written) in commands_of(line):
        target = written.pop() if ">" in written else None
        source = written.pop() if "<" in written else None
        words = [each for each in written if each not in {"<", ">"}]
        given = given if source is None else Path(source).read_bytes()
        if program == "rentbilling":
            result = run(*words, given=given, columns=int(settings.get("COLUMNS", 80)))
            given, said, code = result.stdout_bytes, said + result.stderr, result.exit_code or code
        else:
            given = PROGRAMS[program](words, given)
        if target is not None:
            Path(target).write_bytes(given)
            given = b""
    return _seen(given.decode("utf-8", "backslashreplace"), said, code)


def _seen(text: str, said: str, code: int) -> list[str]:
    if text and not text.endswith("\n"):
        text += " (without an end)\n"
    said = said.replace(str(Path.cwd()), "HERE")
    for pattern, word in _WORDS.items():
        text, said = pattern.sub(word, text), pattern.sub(word, said)
    text = _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], text)
    lines = [*text.split("\n")[:-1], *(f"! {each}" for each in said.splitlines())]
    if code:
        lines[-1:] = [f"{lines[-1] if lines else ''} (exit {code})"]
    return lines
