"""Selections written down by hand, for everything that only shows or stores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from renyi.options import DataOptions, method_options
from renyi.selection import (
    BandwidthChoice,
    BandwidthTrial,
    Entropies,
    RunnerUp,
    SelectionPath,
    Sensitivity,
    SensitivitySetting,
    Stability,
    StabilityHalf,
    Step,
    Unselected,
    Verdict,
)
from renyi.stopping import CriterionReport
from renyi.variables import ColumnReport, DataReport, Note

TARGET_BITS = 0.9910760598


def column(name: str, **given: Any) -> ColumnReport:
    chosen: dict[str, Any] = {
        "dtype": "Float64",
        "role": "feature",
        "kind": "continuous",
        "reason": "floats",
        "distinct": 120,
        "missing": 0,
        "kernel": "gaussian",
        "bandwidth": 2.0,
    }
    return ColumnReport(name=name, **(chosen | given))


def data_report(features: Sequence[str], **given: Any) -> DataReport:
    target = column(
        "class",
        dtype="String",
        role="target",
        kind="nominal",
        reason="strings",
        distinct=2,
        kernel="delta",
        bandwidth=None,
    )
    chosen: dict[str, Any] = {
        "source": "heart.parquet",
        "fingerprint": "sha256:" + "0" * 64,
        "rows": 270,
        "rows_used": 270,
        "target": "class",
        "target_reason": "its name is one of target, label, class, y",
        "columns": (*(column(name) for name in features), target),
    }
    return DataReport(**(chosen | given))


def permutation_report(
    stop: bool, *, drawn: int, exceedances: int, **given: Any
) -> CriterionReport:
    """What a permutation test says; decided early where it goes on after fewer than 100 draws."""
    early = not stop and drawn < 100
    chosen: dict[str, Any] = {
        "criterion": "cmi-perm",
        "stop": stop,
        "keeps_feature": False,
        "reason": f"a shuffled copy did as well in {exceedances} of {drawn} draws (level 0.05)",
        "statistic_name": "cmi",
        "statistic": 0.31,
        "p_value": None if early else (exceedances / drawn if stop else (exceedances + 1) / 101),
        "p_upper": (exceedances + 100 - drawn + 1) / 101 if early else None,
        "drawn": drawn,
        "exceedances": exceedances,
        "null_quantiles": (0.33, 0.36, 0.39),
        "null_error": 0.0,
    }
    return CriterionReport(**(chosen | given))


def step(index: int, name: str, mi: float, cmi: float | None, **given: Any) -> Step:
    chosen: dict[str, Any] = {
        "action": "add",
        "features": (name,),
        "selected": True,
        "cmi_code": "cmi_not_computed" if cmi is None else None,
        "gain": 0.1,
        "entropies": Entropies(
            selected=2.0 + index, joint=3.0 + index - mi, target=TARGET_BITS, conditional_all=0.02
        ),
        "saturation": 6.2 - index,
        "runner_up": RunnerUp(features=("chest_pain",), mi=mi - 0.004, gap=0.004),
        "criteria": (permutation_report(False, drawn=100, exceedances=0),),
        "would_stop": {"cmi-heuristic": False, "mi-chi2": None},
        "error_bound": 1e-12,
    }
    return Step(index=index, mi=mi, cmi=cmi, **(chosen | given))


FEATURES = ("age", "sex", "chest_pain", "thal", "vessels", "oldpeak")


def heart_path(**given: Any) -> SelectionPath:
    """Three features selected, the fourth tested and left out."""
    steps = (
        step(1, "thal", 0.2101, 0.5702),
        step(2, "vessels", 0.3313, 0.4489, gain=0.1212),
        step(3, "age", 0.4802, 0.3000, gain=0.1489, runner_up=None),
        step(
            4,
            "oldpeak",
            0.5561,
            0.2241,
            gain=0.0759,
            selected=False,
            criteria=(permutation_report(True, drawn=12, exceedances=6),),
        ),
    )
    chosen: dict[str, Any] = {
        "data": data_report(FEATURES),
        "data_options": DataOptions(),
        "options": method_options(criteria="cmi-perm", alpha=1.01, bandwidth=2.0, permutations=100),
        "steps": steps,
        "verdict": Verdict(
            stopped="criterion",
            reason="stopped before `oldpeak`: a shuffled copy did as well in 6 of 12 draws "
            "(level 0.05)",
            step=len(given.get("steps", steps)),
            criteria=("cmi-perm",),
        ),
        "aliases": {"thal": ("thal_code",)},
        "unselected": (
            Unselected(
                feature="sex",
                code="redundant",
                reason="given thal",
                mi=0.06,
                gain=0.01,
                p_value=0.01,
                given=("thal",),
            ),
        ),
        "warnings": (Note("near_tie", "`thal` won by 0.004 bits over `chest_pain`.", ("thal",)),),
        "run": {"backend": {"asked": "auto", "effective": "numpy"}, "seconds": 1.5},
    }
    return SelectionPath(**(chosen | given))


def repeats() -> dict[str, Any]:
    """A chosen bandwidth, other settings of which one failed, and the first of two pairs."""
    trial = BandwidthTrial(
        sigma=0.5, feature="thal", gain=0.3, null_mean=0.03, null_sd=0.01, standardised=27.0
    )
    chosen = SensitivitySetting(
        alpha=1.01, bandwidth="growing", selected=("thal",), stopped="criterion", reason="so"
    )
    failed = SensitivitySetting(
        alpha=2.0, bandwidth=1.0, selected=(), stopped=None, reason="too large"
    )
    halves = tuple(
        StabilityHalf(pair=1, half=half, selected=("thal", "sex")[:half], stopped="criterion")
        for half in (1, 2)
    )
    return {
        "bandwidth_choice": BandwidthChoice(
            sigma=0.5, trials=(trial,), p_value=1 / 60, copies=59, rows=270
        ),
        "sensitivity": Sensitivity(asked=8, settings=(chosen, failed)),
        "stability": Stability(
            asked=4, rows=135, stratified=True, candidates=12, kept=("age",), halves=halves
        ),
    }


def there_and_back() -> SelectionPath:
    """A search that began with two features and took one away."""
    first = heart_path().steps[0]
    steps = (
        replace(first, action="start", features=("age", "sex"), criteria=(), runner_up=None),
        step(2, "oldpeak", 0.2, 0.1),
        replace(step(3, "age", 0.19, 0.11), action="remove", selected=False, criteria=()),
        replace(step(4, "sex", 0.1, 0.2), action="remove", selected=True),
    )
    return heart_path(
        steps=steps,
        options=method_options(search="beam:3", bandwidth=1.0),
        data_options=DataOptions(start=("age", "sex")),
        verdict=Verdict(stopped="criterion", reason="needed", step=4, criteria=("cmi-perm",)),
        aliases={},
    )
