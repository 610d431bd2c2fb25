"""What both command lines share: exit codes 0 and 1, one-line errors, output that is safe to print."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import click

from sctx_tui.sanitize import clean

# Set this to see where an unexpected error came from.
TRACEBACK_VARIABLE = "SCTX_TRACEBACK"

HELP_NAMES = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command that names the nearest right thing when it gets an argument too many."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["context_settings"] = {**HELP_NAMES, **(kwargs.get("context_settings") or {})}
        super().__init__(*args, **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """As click's; extra arguments are refused in our own words."""
        takes_any = bool(self.context_settings.get("allow_extra_args"))
        ctx = super().make_context(info_name, args, parent, **{"allow_extra_args": True, **extra})
        if ctx.args and not takes_any and not ctx.resilient_parsing:
            raise click.UsageError(_unexpected(ctx), ctx)
        return ctx


class Group(click.Group):
    """A set of commands, listed in the order of their definition."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["context_settings"] = {**HELP_NAMES, **(kwargs.get("context_settings") or {})}
        kwargs["no_args_is_help"] = False
        super().__init__(*args, **kwargs)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of definition, which is the order a new user needs them in."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's; without any argument the help goes to standard error, for nothing was done."""
        if not args and not ctx.resilient_parsing:
            raise click.UsageError(f"no command given\n\n{ctx.get_help()}", ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; an unknown command names the nearest one."""
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            names = self.list_commands(ctx)
            raise click.UsageError(f"unknown command {args[0]!r}; {nearest(args[0], names)}", ctx)
        return super().resolve_command(ctx, args)


Group.group_class = Group


def run(command: click.Command, arguments: Sequence[str] | None, name: str) -> NoReturn:
    """Run a command line and leave the process with 0 or 1; never with a traceback.

    `arguments` are the process's own when None; `name` is how the program calls itself.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code = _guarded(lambda: _exit_code(command, arguments, name))
    # What is still buffered may fail as well, and must not fail at interpreter exit.
    sys.exit(max(code, _guarded(_flush)))


def _exit_code(command: click.Command, arguments: Sequence[str] | None, name: str) -> int:
    args = list(sys.argv[1:] if arguments is None else arguments)
    result = command.main(args, prog_name=name, standalone_mode=False)
    return 1 if result else 0


def _guarded(action: Callable[[], int]) -> int:
    """Run `action`; whatever it raises becomes one line on standard error and the code 1."""
    try:
        return action()
    except click.exceptions.Exit as done:
        return 1 if done.exit_code else 0
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted")
    except click.UsageError as error:
        return _fail(_usage_message(error))
    except click.ClickException as error:
        return _fail(error.format_message())
    except OSError as error:
        return _fail(os_error_text(error))
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        return _fail(f"unexpected {type(error).__name__}: {error} (set {TRACEBACK_VARIABLE}=1 to see where)")


def os_error_text(error: OSError) -> str:
    """An operating system's error as a person reads it: the path, then what is wrong with it."""
    reason = error.strerror or str(error)
    return f"{os.fsdecode(error.filename)}: {reason}" if error.filename else reason


def _flush() -> int:
    if sys.stdout is not None:
        _to_output(sys.stdout.flush)
    return 0


def _to_output(action: Callable[[], object]) -> None:
    """Do something with standard output; a reader that has gone, as `head` does, is no error.

    What can't be written is an error, once: the rest goes nowhere, or it would fail again at exit.
    """
    try:
        action()
    except BrokenPipeError:
        _drop_output()
    except OSError as error:
        _drop_output()
        raise click.ClickException(f"standard output: {os_error_text(error)}") from None


def _drop_output() -> None:
    """Let what is still buffered, and all that follows, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _fail(message: str) -> int:
    say(f"error: {message}")
    return 1


def _usage_message(error: click.UsageError) -> str:
    """The fault in one line, with the nearest right option where click knows of one."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        return f"unknown option {error.option_name}; {_nearest_option(error.option_name, error.ctx)}"
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument):
        kind = error.param.type
        choices = f"; use {_listed(kind.choices)}" if isinstance(kind, click.Choice) else ""
        return f"missing {error.param.human_readable_name}{choices}"
    message = error.format_message()
    return message[:1].lower() + message[1:].removesuffix(".")


def _unexpected(ctx: click.Context) -> str:
    """Why an argument can't be there: an option without its dashes, or one too many."""
    extra = ctx.args[0]
    names = {option.lstrip("-"): option for option in option_names(ctx.command)}
    close = names.get(extra) or next((names[name] for name in _close(extra, names)), None)
    usage = " ".join(ctx.get_usage().split()).replace("Usage: ", "usage: ")
    return f"unexpected argument {extra!r}; " + (f"did you mean {close}?" if close else usage)


def option_names(command: click.Command) -> list[str]:
    """Every name of every option of a command that its help shows, `--help` among them."""
    with click.Context(command, **command.context_settings) as ctx:
        params = command.get_params(ctx)
    options = (param for param in params if isinstance(param, click.Option) and not param.hidden)
    return [name for option in options for name in option.opts]


def _nearest_option(name: str, ctx: click.Context) -> str:
    names = [known for known in option_names(ctx.command) if known.startswith("--")]
    if not name.startswith("--"):  # -j: the long option that begins with that letter
        begins = [known for known in names if known[2:3] == name[1:2]]
        return f"did you mean {begins[0]}?" if begins else nearest(name, names)
    return nearest(name, names)


def nearest(word: str, known: Iterable[str]) -> str:
    """Advice for an unknown word: the known one that is nearest, else all of them."""
    names = list(known)
    close = _close(word, names)
    return f"did you mean {close[0]}?" if close else f"use {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _close(word: str, known: Iterable[str]) -> list[str]:
    """The known word that is most like another, if one is; dashes make no likeness."""
    from difflib import get_close_matches  # an error's own price

    names = {name.lstrip("-"): name for name in known}
    return [names[each] for each in get_close_matches(word.lstrip("-"), names, n=1, cutoff=0.7)]


def only_once(_: click.Context, param: click.Parameter, values: tuple[str, ...]) -> str | None:
    """Callback for an option with `multiple=True`: given twice it is an error, not a silent last one wins."""
    if len(values) > 1:
        raise click.UsageError(f"{param.opts[0]} is given {len(values)} times")
    return values[0] if values else None


def write(text: str) -> None:
    """Print finished text (already safe) on standard output and end the line."""
    out = sys.stdout
    if out is not None:
        _to_output(lambda: out.write(text if text.endswith("\n") else text + "\n"))


def say(text: str) -> None:
    """Print a message on standard error, cleaned: it may quote anything."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(clean(text, multiline=True) + "\n")
            sys.stderr.flush()
        except OSError:
            return


def colours() -> bool:
    """Whether to colour standard output: it is a terminal, and NO_COLOR is not set."""
    if sys.stdout is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def write_json(value: object) -> None:
    """Print JSON; every character that acts on a terminal or can't be seen is escaped."""
    import json
    import re

    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    text = json.dumps(value, indent=2, ensure_ascii=encoding != "utf8")
    # What json leaves alone: DEL, C1, direction marks, lone surrogates and their like.
    write(
        re.sub(
            r"[^\n -~]",
            lambda found: found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1],
            text,
        )
    )
