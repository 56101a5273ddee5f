"""The tables of the page, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from renyi.evaluation import interval
from renyi_paper._printed import PRINTED_CRITERIA, PrintedCell, printed_tables
from renyi_paper._ranks import average_ranks, competition_ranks, rank_sum_p_value
from renyi_paper._records import Judged, OwnUnit, TableUnit

__all__ = [
    "accuracy_table",
    "agreement",
    "default_table",
    "feature_table",
    "rank_table",
    "settings_table",
    "test_table",
]


def feature_table(units: Sequence[TableUnit]) -> str:
    """Return numbers of features, ours then printed, a row a set."""
    printed = printed_tables().cells[units[0].table]
    head = [
        "set",
        *PRINTED_CRITERIA,
        f"cmi-heuristic, sigma {units[0].narrow_sigma:.3g}",
        "optimal",
    ]
    rows = []
    for unit in units:
        cells = [
            _pair(_count(unit.criteria[name]), printed[name][unit.name].features)
            for name in PRINTED_CRITERIA
        ]
        cells.append(_pair(_count(unit.narrow), printed["cmi-heuristic"][unit.name].features))
        cells.append(_pair(str(unit.optimal), printed["optimal"][unit.name].features))
        rows.append([unit.name, *cells])
    return _markdown(head, rows)


def accuracy_table(units: Sequence[TableUnit]) -> str:
    """Return accuracies in percent, ours then printed, a row a set.

    Ours of a criterion is at our number of features; in brackets it is at the printed one, where
    that is on the path and another.
    """
    printed = printed_tables().cells[units[0].table]
    rows = []
    for unit in units:
        cells = [
            _accuracies(unit, unit.criteria[name].features, printed[name][unit.name])
            for name in PRINTED_CRITERIA
        ]
        cells.append(_accuracies(unit, unit.optimal, printed["optimal"][unit.name]))
        rows.append([unit.name, *cells])
    return _markdown(["set", *PRINTED_CRITERIA, "optimal"], rows)


def agreement(units: Sequence[TableUnit]) -> str:
    """Say on how many sets the number of features is the printed one, a line a criterion."""
    printed = printed_tables().cells[units[0].table]
    ours = {
        f"`{name}`": [(unit.criteria[name].features, printed[name][unit.name]) for unit in units]
        for name in PRINTED_CRITERIA
    }
    ours[f"`cmi-heuristic`, sigma {units[0].narrow_sigma:.3g}"] = [
        (unit.narrow.features, printed["cmi-heuristic"][unit.name]) for unit in units
    ]
    ours["optimal"] = [(unit.optimal, printed["optimal"][unit.name]) for unit in units]
    lines = ["How many sets have the printed number of features:", ""]
    for name, pairs in ours.items():
        apart = [abs(count - cell.features) for count, cell in pairs]
        lines.append(f"- {name}: {apart.count(0)} of {len(pairs)}; off by one: {apart.count(1)}.")
    return "\n".join(lines)


def rank_table(units: Sequence[TableUnit]) -> str:
    """Return mean ranks by distance from the optimal size: ours, of the printed cells, printed."""
    tables = printed_tables()
    table = units[0].table
    ours = average_ranks([_ranks(unit) for unit in units])
    theirs = average_ranks([_printed_ranks(table, unit.name) for unit in units])
    rows = [
        [
            name,
            f"{ours[name]:.1f}",
            f"{theirs[name]:.1f}",
            f"{tables.average_ranks[table][name]:.1f}",
        ]
        for name in PRINTED_CRITERIA
    ]
    head = ["criterion", "ours", "printed, these sets", "printed, all ten"]
    return _markdown(head, rows)


def test_table(units: Sequence[TableUnit]) -> str:
    """Return Table 3: p-values of Wilcoxon's rank-sum test between the criteria's ranks."""
    tables = printed_tables()
    table = units[0].table
    ours = [_ranks(unit) for unit in units]
    theirs = [_printed_ranks(table, name) for name in tables.sets]
    rows = []
    for one, other, p_value in tables.rank_sum_tests[table]:
        found = rank_sum_p_value([r[one] for r in ours], [r[other] for r in ours])
        again = rank_sum_p_value([r[one] for r in theirs], [r[other] for r in theirs])
        rows.append([f"{one} and {other}", f"{found:.4f}", f"{again:.4f}", f"{p_value:.4f}"])
    return _markdown(["criteria", "ours", "from the printed ranks", "printed"], rows)


def default_table(own: Sequence[OwnUnit], tables: Sequence[TableUnit]) -> str:
    """Return our default beside the best of the paper's criteria, a row a set, and a summary."""
    rows = []
    compared = not_worse = within = 0
    for unit in own:
        judged = unit.judged
        row = [unit.name, str(judged.features), _percent(judged.accuracy, judged.spread)]
        found = _best_criterion(unit.name, tables)
        if found is None:
            rows.append([*row, "-", "-", "-", "-", "-"])
            continue
        name, best = found
        half = float(interval(np.array(best.runs)[:, None])[0])
        difference = judged.accuracy - best.accuracy
        compared += 1
        not_worse += difference >= -half
        words = f"{name}: {best.features} features, {_percent(best.accuracy, best.spread)}"
        size, mean, spread = _best_size(unit.name, tables)
        # runs are as many for every size: the interval is a multiple of the spread
        lowest = mean - spread * half / best.spread if best.spread else mean
        within += judged.accuracy >= lowest
        row += [words, f"{100 * difference:+.1f}", f"{100 * half:.1f}"]
        told = f"{size} features, {_percent(mean, spread)}"
        rows.append([*row, told, f"{100 * (judged.accuracy - lowest):+.1f}"])
    head = [
        "set",
        "features",
        "accuracy, %",
        "the best of the paper's criteria here",
        "difference",
        "half of its 95% interval",
        "the best size on the paper's paths",
        "above the low end of its 95% interval by",
    ]
    return f"{_markdown(head, rows)}\n\n{_summary(own, compared, not_worse, within)}"


def _best_criterion(name: str, tables: Sequence[TableUnit]) -> tuple[str, Judged] | None:
    cells = [
        (f"{criterion}, alpha {unit.alpha:g}", cell)
        for unit in tables
        if unit.name == name
        for criterion, cell in unit.criteria.items()
    ]
    return max(cells, key=lambda item: item[1].accuracy) if cells else None


def _best_size(name: str, tables: Sequence[TableUnit]) -> tuple[int, float, float]:
    """Return the number of features, accuracy and spread of the best of all sizes."""
    return max(
        (
            (size, *unit.accuracy_at(size))
            for unit in tables
            if unit.name == name
            for size in unit.sizes
        ),
        key=lambda found: found[1],
    )


def _summary(own: Sequence[OwnUnit], compared: int, not_worse: int, within: int) -> str:
    printed = printed_tables().cells
    ours = np.median([unit.judged.features for unit in own])
    theirs = [
        np.median([printed[table]["cmi-heuristic"][unit.name].features for unit in own])
        for table in printed
    ]
    return (
        f"Its accuracy is not below that of the best criterion by more than half the interval on "
        f"{not_worse} of {compared} sets, and within the 95% interval of the best size of all on "
        f"{within} of {compared}. Its median number of features is {ours:g}; that of the "
        f"printed `cmi-heuristic` on these sets is {theirs[0]:g} in Table 1 and {theirs[1]:g} in "
        "Table 2."
    )


def settings_table(units: Iterable[TableUnit]) -> str:
    """Return what was used of each set."""
    rows: dict[str, list[str]] = {}
    for unit in units:
        looked = f"{len(unit.path)} of {unit.candidates}"
        row = rows.setdefault(
            unit.name,
            [unit.name, f"{unit.rows:,}", _prepared(unit.standardise), "-", "-", "-"],
        )
        row[2 + unit.table] = looked
        if f"{unit.rows:,}" not in row[1]:
            row[1] += f"; {unit.rows:,}"
        seconds = sum(unit.seconds.values())
        row[5] = f"{seconds + (0.0 if row[5] == '-' else float(row[5])):.0f}"
    head = ["set", "rows", "features are", "path, table 1", "path, table 2", "seconds"]
    return _markdown(head, list(rows.values()))


def _prepared(rule: str) -> str:
    return "raw" if rule == "none" else rule.replace("bins:", "cut into ") + " bins"


def _ranks(unit: TableUnit) -> dict[str, int]:
    counts = {name: unit.criteria[name].features for name in PRINTED_CRITERIA}
    return competition_ranks(counts, unit.optimal)


def _printed_ranks(table: int, name: str) -> Mapping[str, int]:
    cells = printed_tables().cells[table]
    counts = {criterion: cells[criterion][name].features for criterion in PRINTED_CRITERIA}
    return competition_ranks(counts, cells["optimal"][name].features)


def _count(judged: Judged) -> str:
    return str(judged.features) if judged.stopped else f"over {judged.features}"


def _pair(ours: str, printed: int) -> str:
    return f"**{ours}** / {printed}" if ours == str(printed) else f"{ours} / {printed}"


def _accuracies(unit: TableUnit, size: int, printed: PrintedCell) -> str:
    text = _percent(*unit.accuracy_at(size))
    if printed.features != size and printed.features in unit.sizes:
        text += f" [{100 * unit.accuracy_at(printed.features)[0]:.1f}]"
    return f"{text} / {printed.accuracy:.1f} ± {printed.spread:.1f}"


def _percent(mean: float, spread: float) -> str:
    return f"{100 * mean:.1f} ± {100 * spread:.1f}"


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
