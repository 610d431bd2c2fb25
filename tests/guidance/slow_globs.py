"""The glob dialect once more, as plainly as it can be said: no limits, no cleverness, exponential.

Patterns are given as lists of pieces: nothing is parsed here that could be misread in the same way there.
"""

from __future__ import annotations

from itertools import product

# (kind, value): "text" with a string, "class" with (negated, [(low, high)]), "braces" with alternatives;
# "?", "*", "**" and "/" stand for themselves.
Piece = tuple[str, object]


def written(pieces: list[Piece]) -> str:
    """The pattern as a person writes it."""
    return "".join(_written(kind, value) for kind, value in pieces)


def _written(kind: str, value: object) -> str:
    if kind == "text":
        return "".join(f"\\{each}" if each in "*?[]{},\\" else each for each in str(value))
    if kind == "class":
        negated, ranges = value  # type: ignore[misc]
        inside = "".join(
            _escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}" for low, high in ranges
        )
        return f"[{'!' if negated else ''}{inside}]"
    if kind == "braces":
        return "{" + ",".join(written(each) for each in value) + "}"  # type: ignore[attr-defined]
    return kind


def _escaped(character: str) -> str:
    return f"\\{character}" if character in "-]^!\\[" else character


def count(pieces: list[Piece]) -> int:
    """How many brace alternatives there are."""
    total = 1
    for kind, value in pieces:
        if kind == "braces":
            total *= sum(count(each) for each in value)  # type: ignore[attr-defined]
    return total


def expanded(pieces: list[Piece]) -> list[list[Piece]]:
    """The brace alternatives."""
    choices: list[list[list[Piece]]] = []
    for kind, value in pieces:
        if kind == "braces":
            choices.append([each for inner in value for each in expanded(inner)])  # type: ignore[attr-defined]
        else:
            choices.append([[(kind, value)]])
    return [[piece for part in parts for piece in part] for parts in product(*choices)]


def split(pieces: list[Piece]) -> tuple[list[list[Piece]], bool]:
    """The segments of an alternative, and whether it is a directory pattern."""
    segments: list[list[Piece]] = [[]]
    for piece in merged(pieces):
        if piece[0] == "/":
            segments.append([])
        else:
            segments[-1].append(piece)
    if len(segments) > 1 and segments[0] in ([], [("text", ".")]):
        segments = segments[1:]
        if segments == [[]]:
            return [], True
    if len(segments) > 1 and not segments[-1]:
        return segments[:-1], True
    if stars_at_the_end(segments[-1]) > 2:
        segments[-1] = [*segments[-1], ("?", None)]
    return segments, False


def stars_at_the_end(segment: list[Piece]) -> int:
    """How many stars a segment ends in, `**` being two."""
    kinds = [kind for kind, _ in segment]
    end = len(kinds)
    while end and kinds[end - 1] in ("*", "**"):
        end -= 1
    return len("".join(kinds[end:]))


def merged(pieces: list[Piece]) -> list[Piece]:
    """Neighbouring texts in one."""
    found: list[Piece] = []
    for kind, value in pieces:
        if kind == "text" and found and found[-1][0] == "text":
            found[-1] = "text", f"{found[-1][1]}{value}"
        elif kind != "text" or value:
            found.append((kind, value))
    return found


def is_globstar(segment: list[Piece]) -> bool:
    """Whether a segment is `**`."""
    return "".join(kind if kind in ("*", "**") else "x" for kind, _ in segment) == "**"


def name_fits(segment: list[Piece], name: str) -> bool:
    """Whether a name fits a segment, by trying every split."""
    if not segment:
        return not name
    (kind, value), rest = segment[0], segment[1:]
    if kind == "text":
        return name.startswith(str(value)) and name_fits(rest, name[len(str(value)) :])
    if kind in ("*", "**"):
        return any(name_fits(rest, name[cut:]) for cut in range(len(name) + 1))
    if not name:
        return False
    if kind == "class":
        negated, ranges = value  # type: ignore[misc]
        if any(low <= name[0] <= high for low, high in ranges) == negated:
            return False
    return name_fits(rest, name[1:])


def path_fits(segments: list[list[Piece]], names: list[str]) -> bool:
    """Whether a path fits a list of segments, by trying every split."""
    if not segments:
        return not names
    if is_globstar(segments[0]):
        return any(path_fits(segments[1:], names[cut:]) for cut in range(len(names) + 1))
    return bool(names) and name_fits(segments[0], names[0]) and path_fits(segments[1:], names[1:])


def fits(segments: list[list[Piece]], names: list[str]) -> bool:
    """Whether a path fits a list of segments, or fits it because a class stands for a slash."""
    return path_fits(segments, names) or (
        0 < crossings(segments) <= 8 and fits_flat(segments, "/".join(names))
    )


def crossings(segments: list[list[Piece]]) -> int:
    """How many classes can stand for a slash: those that fit it and are neither first nor last in a name."""
    return sum(
        kind == "class" and character_fits((kind, value), "/") and 0 < index < len(each) - 1
        for segment in segments
        for each in [characters(segment)]
        for index, (kind, value) in enumerate(each)
    )


def characters(segment: list[Piece]) -> list[Piece]:
    """A segment with a piece for each character and each star."""
    found: list[Piece] = []
    for kind, value in segment:
        if kind == "text":
            found += [("text", character) for character in str(value)]
        else:
            found += [("*", None)] * len(kind) if kind in ("*", "**") else [(kind, value)]
    return found


def character_fits(piece: Piece, character: str) -> bool:
    """Whether a piece other than a star fits a character."""
    kind, value = piece
    if kind == "class":
        negated, ranges = value  # type: ignore[misc]
        return bool(any(low <= character <= high for low, high in ranges) != negated)
    return character == value if kind == "text" else (character == "/") == (kind == "/")


def fits_flat(segments: list[list[Piece]], path: str) -> bool:
    """Whether a path fits, read character by character.

    Only the last star and the last `**` are ever tried anew, so what is before them was settled by the first
    fit.
    """
    pattern: list[Piece] = []
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        if is_globstar(segment):
            pattern.append(("rest" if last else "directories", None))
        else:
            pattern += characters(segment) if last else [*characters(segment), ("/", None)]
    at = position = 0
    star: tuple[int, int] | None = None
    globstar: tuple[int, int] | None = None
    while position < len(path):
        kind = pattern[at][0] if at < len(pattern) else "end"
        if kind == "rest":
            return True
        if kind == "directories":
            at, star, globstar = at + 1, None, (at + 1, position)
        elif kind == "*":
            at, star = at + 1, (at + 1, position)
        elif kind != "end" and character_fits(pattern[at], path[position]):
            at, position = at + 1, position + 1
        elif star is not None and path[star[1]] != "/":
            star = star[0], star[1] + 1
            at, position = star
        elif globstar is not None and "/" in path[globstar[1] :]:
            globstar = globstar[0], path.index("/", globstar[1]) + 1
            (at, position), star = globstar, None
        else:
            return False
    left = [kind for kind, _ in pattern[at:]]
    return left in (["/", "rest"], ["rest"]) or all(kind == "*" for kind in left)


def matches_file(pieces: list[Piece], path: str) -> bool:
    """Whether a pattern fits a file."""
    return any(
        not directory and fits(segments, path.split("/"))
        for segments, directory in map(split, expanded(pieces))
    )


def matches_directory(pieces: list[Piece], path: str, below: list[str]) -> bool:
    """Whether a pattern names a directory, or fits one of the paths below it."""
    names = path.split("/") if path else []
    if not path and any(segments == [[("text", ".")]] for segments, _ in map(split, expanded(pieces))):
        return True
    return any(
        fits(segments, names)
        if directory
        else any(fits(segments, [*names, *each.split("/")]) for each in below)
        for segments, directory in map(split, expanded(pieces))
    )


def excludes_directory(pieces: list[Piece], path: str, directly_below: list[str]) -> bool:
    """Whether a pattern names a directory, or one alternative fits all of the names directly below it."""
    names = path.split("/") if path else []
    return any(
        fits(segments, names) if directory else all(fits(segments, [*names, each]) for each in directly_below)
        for segments, directory in map(split, expanded(pieces))
    )
