"""What a reader with one minute must know, in sentences."""

from __future__ import annotations

from typing import Final

from renyi.options import criterion_traits
from renyi.selection import SelectionPath, Step
from renyi.webpage._fates import left_out
from renyi.wording import bits, counted, deviations, probability

__all__ = ["facts", "headline", "in_plain_words", "sentence"]

MOST_NAMED: Final = 20

PURPOSES: Final = {
    "model": "Chosen as columns that help a model together. To keep only those that say something "
    "beyond the others, ask for the purpose `news`.",
    "news": "Chosen as columns that say something beyond those before. To keep all that help a "
    "model together, ask for the purpose `model`.",
}

ENDS: Final = {
    "interrupted": "The search was interrupted: this is what was finished.",
    "max_features": "The search ended because as many columns were selected as were allowed.",
    "exhausted": "The search ended because no column was left.",
}

LEVELLED: Final = frozenset({"cmi-max", "cmi-local"})
"""Criteria that set a column against the best of all, shuffled together, so that their level holds
for the whole search on noise alone."""


def headline(path: SelectionPath) -> str:
    """Return the verdict in one sentence."""
    count, of = len(path.selected), counted(path.data.features, "candidate")
    many = "None" if count == 0 else f"{count:,}"
    are = "is" if count < 2 else "are"
    return f"{many} of {of} {are} selected for the target {path.data.target}"


def in_plain_words(path: SelectionPath) -> str:
    """Return in one plain sentence why the search ended."""
    if path.verdict.stopped in ENDS:
        return ENDS[path.verdict.stopped]
    last = path.steps[-1] if path.steps else None
    if last is None or last.done:
        return sentence(path.verdict.reason)
    name = " + ".join(last.features)
    if last.action == "remove":
        return f"The search stopped because the weakest column left, `{name}`, is still needed."
    decided = [r for r in last.criteria if r.criterion in path.verdict.criteria]
    next_best = f"The search stopped because the next best column, `{name}`, "
    drawn = next((r for r in decided if criterion_traits(r.criterion).permutes), None)
    if drawn is not None:
        level = f"level {path.options.significance:g}"
        of_test = level if drawn.p_value is None else f"p = {probability(drawn.p_value)}, {level}"
        return f"{next_best}does not stand out from shuffled columns ({of_test})."
    return f"{next_best}did not pass the criterion."


def facts(path: SelectionPath) -> list[tuple[str, list[str]]]:
    """Return the questions that a reader asks first, each with its answer in sentences."""
    found = [
        ("Selected", _selected(path)),
        ("Why it stopped there", [sentence(path.verdict.reason)]),
        ("What chance would give", _chance(path)),
        ("Not selected", [sentence(line) for line in left_out(path)] or [_nothing_left(path)]),
        ("Why this target", [_target(path)]),
    ]
    if path.data.together is not None:
        found.append(("Rows that belong together", [sentence(path.data.together.reason)]))
    return found


def _selected(path: SelectionPath) -> list[str]:
    names = list(path.selected)
    more = len(names) - MOST_NAMED
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMED])
    lines = [f"{shown or 'None'}{f' and {more:,} more' if more > 0 else ''}."]
    for name, others in path.aliases.items():
        if name in path.selected:
            lines.append(f"{name} stands for {_few(list(others))} too: the same column.")
    lines += [
        f"{group.name} is {counted(len(group.columns), 'column')}: {_few(list(group.columns))}."
        for group in path.data.group_columns
        if group.name in path.selected
    ]
    if path.purpose is not None:
        lines.append(PURPOSES[path.purpose])
    return lines


def _few(names: list[str]) -> str:
    more = len(names) - 5
    return ", ".join(names[:5]) + (f" and {more:,} more" if more > 0 else "")


def _chance(path: SelectionPath) -> list[str]:
    done = [step for step in path.steps if step.done]
    lines = []
    if done and path.selected:
        last, most = done[-1], done[-1].entropies.target
        share = f" ({100 * last.mi / most:.0f}%)" if most > 0 and last.mi > 0 else ""
        alike = ", its classes weighted alike" if _balanced(path) else ""
        told = f"Together they tell {bits(last.mi)} of the {bits(most)} bits of the target{share}"
        told += f"{alike}, on the rows that they were chosen by"
        if last.mi_chance is not None:
            lines.append(
                f"{told}. Of a shuffled target the same columns would seem to tell "
                f"{bits(last.mi_chance)}; a new search on it would find more."
            )
        else:
            lines.append(f"{told}. What chance gives MI is not known at this alpha.")
    failed = path.steps[-1] if path.steps and not path.steps[-1].done else None
    if failed is not None and failed.chance is not None and failed.action == "add":
        lines.append(
            f"`{' + '.join(failed.features)}`, tested last, gains {bits(failed.gain)} bits; "
            f"shuffled, it would gain {bits(failed.chance)} on average.{_bar(path, failed)}"
        )
    criteria = set(path.options.criteria)
    if criteria <= LEVELLED and path.options.error_rate == "fwer":
        lines.append(
            "If no column had to do with the target, a search like this would select any at all in "
            f"at most {100 * path.options.significance:g}% of tables. That needs rows whose order "
            "means nothing: not several of one subject, no series in time."
        )
    return lines or ["Not known: no step was finished."]


def _balanced(path: SelectionPath) -> bool:
    kinds = {c.kind for c in path.data.columns if c.name in path.data.targets}
    return path.options.class_weights == "balanced" and "nominal" in kinds


def _bar(path: SelectionPath, failed: Step) -> str:
    """Say what shuffled columns came to, in the units of the test that they were set against."""
    found = next(
        (
            report
            for report in failed.criteria
            if report.criterion in path.verdict.criteria
            and report.statistic_name == "z"
            and report.null_quantiles is not None
        ),
        None,
    )
    if found is None or found.null_quantiles is None:
        return ""
    low, _, high = found.null_quantiles
    best = (
        "the best of all shuffled columns" if found.criterion in LEVELLED else "a shuffled column"
    )
    return (
        f" That is {deviations(found.statistic)} standard deviations above chance; {best} came to "
        f"{deviations(low)} to {deviations(high)} in nine of ten draws."
    )


def _nothing_left(path: SelectionPath) -> str:
    if len(path.selected) == path.data.features:
        return "Every column is selected."
    return "The search was ended before it could say why."


def _target(path: SelectionPath) -> str:
    column = next((c for c in path.data.columns if c.name == path.data.targets[0]), None)
    kind = ""
    if len(path.data.targets) > 1:
        kind = f", {len(path.data.targets)} columns together"
    elif column is not None and column.kind == "nominal" and column.distinct:
        kind = f", {counted(column.distinct, 'class').replace('classs', 'classes')}"
    elif column is not None and column.kind is not None:
        kind = ", a number" if column.kind == "continuous" else f", {column.kind}"
    return f"{path.data.target}{kind}: {path.data.target_reason}."


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
