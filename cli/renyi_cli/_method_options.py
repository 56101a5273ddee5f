"""The options of the method: what is measured, by which kernels, and how it is computed."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from renyi_cli._declare import METHOD, option
from renyi_cli._words import DEFAULTS, offered

__all__ = [
    "Alpha",
    "BandwidthChoice",
    "ClassWeightsChoice",
    "KernelChoice",
    "LabelKernelChoice",
    "NominalChoice",
    "Preset",
    "RankChoice",
    "Score",
    "Solver",
    "Standardise",
    "Tolerance",
]

Text: TypeAlias = str | None
Texts: TypeAlias = list[str] | None

Preset = Annotated[
    Text,
    option(
        "--preset",
        METHOD,
        "NAME",
        "Set of choices to start from: default, paper (Yu and Principe 2019) or lrmi (Dong et "
        "al. 2023); other options override it.",
        "preset",
    ),
]
Alpha = Annotated[
    Text,
    option(
        "--alpha",
        METHOD,
        "NUMBER",
        f"Order of the entropy, above 0 (default {DEFAULTS['alpha']}); 2 is by far the fastest.",
    ),
]
BandwidthChoice = Annotated[
    Texts,
    option(
        "--bandwidth",
        METHOD,
        "VALUE",
        f"Sigma of the kernel on standardised values, or a rule: {offered('bandwidth')}. "
        "Steady is 2, and wider where many columns leave few rows alike; joint and growing ones "
        "widen with the number of columns; auto lets the data choose. COLUMN=VALUE for one column; "
        "repeatable.",
        "bandwidth",
    ),
]
Standardise = Annotated[
    Text,
    option(
        "--standardise",
        METHOD,
        "HOW",
        f"Scale of continuous columns: {offered('standardise')}.",
        "standardise",
    ),
]
KernelChoice = Annotated[
    Text,
    option(
        "--kernel",
        METHOD,
        "NAME",
        f"Kernel of numbers: {offered('kernel')}. Laplacian has a sharper peak and heavier tails.",
        "kernel",
    ),
]
NominalChoice = Annotated[
    Text,
    option(
        "--nominal",
        METHOD,
        "NAME",
        f"Kernel of nominal columns: {offered('nominal')}. Soft compares levels as a Gaussian "
        "compares numbers, delta tells equal from different only.",
        "nominal",
    ),
]
LabelKernelChoice = Annotated[
    Text,
    option(
        "--label-kernel",
        METHOD,
        "NAME",
        f"Kernel of a nominal target: {offered('label_kernel')}.",
        "label_kernel",
    ),
]
ClassWeightsChoice = Annotated[
    Text,
    option(
        "--class-weights",
        METHOD,
        "NAME",
        f"How the target's values count: {offered('class_weights')}. Balanced, at alpha 2: classes "
        "weigh nearly alike, a continuous target counts by its ranks.",
        "class_weights",
    ),
]
Score = Annotated[
    Text,
    option("--score", METHOD, "NAME", f"Ranks candidates: {offered('score')}.", "score"),
]
RankChoice = Annotated[
    Text,
    option(
        "--rank",
        METHOD,
        "NAME",
        f"What is compared: {offered('rank')}. Chance: the gain less what chance gives, in "
        "standard deviations, at alpha 2 in closed form, else by 16 draws a step; raw, the default "
        "at other alphas: the gain as it is.",
        "rank",
    ),
]
Solver = Annotated[
    Text,
    option(
        "--solver",
        METHOD,
        "NAME",
        "How entropies are computed: auto (default), the cheapest that meets the tolerance, with "
        "the decisions of dense; dense, eigenvalues of the whole Gram, no shortcut; eigen, "
        "eigenvalues block by block on distinct rows; low-rank, certified pivoted Cholesky, alpha "
        "from 1; tiles, alpha 2 without eigenvalues; power, whole alpha from 2 by matrix "
        "products.",
        "solver",
    ),
]
Tolerance = Annotated[
    Text,
    option(
        "--tolerance",
        METHOD,
        "BITS",
        f"Largest error of a reported value (default {DEFAULTS['tolerance']}).",
    ),
]
