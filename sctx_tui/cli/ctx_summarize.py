"""`ctx summarize`: sentences by a language model, for what no docstring describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sctx_tui.cli.command_line import Command, say, write, write_json
from sctx_tui.cli.ctx_common import graph_root, open_index, path_in, root_option
from sctx_tui.cli.ctx_config import settings_errors
from sctx_tui.cli.options import json_option

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sctx_tui.graph.store import Store
    from sctx_tui.graph.store_summaries import Due
    from sctx_tui.summaries.run import Report
    from sctx_tui.summaries.settings import Model

no_summaries_option = click.option(
    "--no-summaries", is_flag=True, help="Ask no language model, even if one is configured."
)

_KINDS = {"function": "functions", "file": "files", "directory": "folders"}


@click.command(cls=Command)
@click.argument("paths", metavar="[FILE]...", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Count tokens and cost; send nothing.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="At most so many texts.")
@json_option
@root_option
def summarize(
    paths: tuple[str, ...], dry_run: bool, limit: int | None, as_json: bool, root: str | None
) -> None:
    """Have a model describe what no docstring does.

    Functions in at most 15 words, files and folders in a sentence: first what has changed and what is
    tainted, then what most depends on. Nothing is sent anywhere unless you configured a model: `ctx config
    set summaries.provider ollama`. Interrupt it at any time, and go on later.
    """
    from sctx_tui.cli.ctx_progress import follow
    from sctx_tui.summaries.run import describe, wanted
    from sctx_tui.summaries.settings import SUGGESTION, configured_model

    top = graph_root(root)
    with settings_errors():
        model = configured_model()
    if model is None and not dry_run:
        raise click.ClickException(
            f"no model is configured, so nothing is sent; for one on this machine: {SUGGESTION}"
        )
    below = [path_in(top, path) for path in paths] or None
    with open_index(top) as store:
        if dry_run or model is None:
            _preview(store, top, wanted(store, below, limit=limit), model, as_json=as_json)
            return
        with settings_errors():
            report = follow(describe(store, top, model, below, limit=limit))
    if as_json:
        write_json(_report_json(report, model))
    else:
        write(_report_text(report, model))
    if report.stopped:
        raise click.ClickException(report.stopped)


def describe_queue(store: Store, root: str, paths: Collection[str] | None = None) -> None:
    """After the index was brought up to date: have what waits described, if a model is configured.

    At most `summaries.per_run` texts. Whatever goes wrong is a warning: the index is true without them.
    """
    from sctx_tui.graph.store import StoreError
    from sctx_tui.summaries.settings import SettingsError, configured_model

    try:
        model = configured_model()
        if model is None:
            return
        from sctx_tui.cli.ctx_progress import follow
        from sctx_tui.summaries.run import describe, wanted

        if not wanted(store, paths, limit=1, retries=False):
            return
        report = follow(describe(store, root, model, paths, limit=model.per_run, retries=False))
    except (SettingsError, StoreError) as error:
        say(f"warning: no summaries: {error}")
        return
    if any(report.written.values()) or not report.stopped:
        say(_report_text(report, model))
    if report.stopped:
        say(f"warning: summaries stopped: {report.stopped}")


def _preview(store: Store, root: str, chosen: Sequence[Due], model: Model | None, *, as_json: bool) -> None:
    from sctx_tui.payload.tokens import estimate
    from sctx_tui.summaries.preview import cost, cost_text, preview
    from sctx_tui.summaries.settings import SUGGESTION, suggested_model

    asked = model or suggested_model()
    found = preview(store, root, chosen, asked, estimate)
    if as_json:
        write_json(
            {
                "configured": model is not None,
                "model": asked.name,
                "url": asked.url,
                "items": dict(found.items),
                "requests": found.requests,
                "tokens_sent": found.tokens.sent,
                "tokens_received": found.tokens.received,
                "cost": cost(asked, found.tokens),
                "currency": asked.currency,
            }
        )
        return
    if not found.requests:
        write("Nothing waits for a description.")
        return
    write(
        f"{_counted(found.items)} in {found.requests:,} requests to {asked.name} at {asked.url}\n"
        f"tokens, at most: {found.tokens.sent:,} sent, {found.tokens.received:,} received\n"
        f"cost, at most: {cost_text(asked, found.tokens)}"
    )
    if model is None:
        write(f"No model is configured, so nothing is sent; for the one above: {SUGGESTION}")


def _counted(items: Mapping[str, int]) -> str:
    return ", ".join(f"{items.get(kind, 0):,} {name}" for kind, name in _KINDS.items())


def _report_text(report: Report, model: Model) -> str:
    from sctx_tui.summaries.preview import cost, cost_text

    text = f"Described {_counted(report.written)}"
    if report.usage.sent or report.usage.received:
        text += f"; {report.usage.sent:,} tokens sent, {report.usage.received:,} received"
        if cost(model, report.usage) is not None:
            text += f", {cost_text(model, report.usage)}"
    return text + (
        f"; {report.left:,} still wait: `ctx summarize` goes on" if report.left else "; nothing waits"
    )


def _report_json(report: Report, model: Model) -> dict[str, Any]:
    from sctx_tui.summaries.preview import cost

    return {
        "written": {kind: report.written.get(kind, 0) for kind in _KINDS},
        "left": report.left,
        "tokens_sent": report.usage.sent,
        "tokens_received": report.usage.received,
        "cost": cost(model, report.usage),
        "currency": model.currency,
        "stopped": report.stopped,
    }
