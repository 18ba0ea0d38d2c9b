"""Commands below a command: what is no command is answered by the one that was meant."""

from __future__ import annotations

from typing import Any

import click


class Group(click.Group):
    """Says which command comes nearest, and where a file stands in the place of one."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = self._hint(ctx, args[0])
            if hint is None:
                raise
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from error

    def _hint(self, ctx: click.Context, word: str) -> str | None:
        from difflib import get_close_matches

        known = self.list_commands(ctx)
        if near := get_close_matches(word, known, n=1):
            return f"Did you mean '{near[0]}'?"
        if "run" in known and word.endswith((".yaml", ".yml")):
            return f"Say what to do with the file: {ctx.command_path} run {word}"
        return None
