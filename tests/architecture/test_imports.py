"""What is loaded when, and what is needed for what: each case is a process of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Run = Callable[..., str]
HEAVY = ["polars", "pyarrow", "scipy", "sklearn", "matplotlib", "cupy", "pandas", "typer", "rich"]


def test_import_is_light_and_silent(run: Run) -> None:
    loaded = run(f"""
        import renyi, sys
        top = {{name.partition(".")[0] for name in sys.modules}}
        print(*sorted(top & set({HEAVY!r})))
    """)
    assert loaded.strip() == ""


def test_the_light_doors_stay_light(run: Run) -> None:
    loaded = run(f"""
        import renyi.bridge, renyi.errors, renyi.options, sys
        top = {{name.partition(".")[0] for name in sys.modules}}
        print(*sorted(top & set({HEAVY!r})))
    """)
    assert loaded.strip() == ""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["select", "--help"]])
def test_help_loads_no_numbers(arguments: list[str], run: Run) -> None:
    loaded = run(f"""
        import contextlib, io, sys
        import renyi_cli
        sys.argv = ["renyi", *{arguments!r}]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            renyi_cli.main()
        top = {{name.partition(".")[0] for name in sys.modules}}
        print(*sorted(top & {{"numpy", "scipy", "polars", "pyarrow", "matplotlib", "sklearn"}}))
    """)
    assert loaded.strip() == ""


def test_the_numeric_core_needs_numbers_only(run: Run) -> None:
    """Up to `renyi.selection`, NumPy and SciPy are enough for a selection on arrays."""
    out = run(
        """
        import numpy as np
        from renyi.backend import get_backend
        from renyi.information import Computation, SetEntropies
        from renyi.kernels import KernelModel
        from renyi.options import method_options
        from renyi.selection import ForwardSearch
        from renyi.variables import Dataset, Variable

        draw = np.random.default_rng(0)
        signal, noise = draw.normal(size=(2, 60))
        label = (signal > 0).astype(int)
        data = Dataset(
            (Variable.continuous("noise", noise), Variable.continuous("signal", signal)),
            (Variable.nominal("y", label, ("low", "high")),),
        )
        options = method_options(criteria=("cmi-perm", "mi-chi2"), permutations=19)
        entropies = SetEntropies(
            Computation.of(KernelModel.build(data, options), options.alpha, get_backend())
        )
        for step in ForwardSearch(data, entropies, options):
            print(step.features[0], step.selected)
        """,
        blocked=("polars", "pyarrow", "narwhals", "pandas", "typer", "rich", "click", "cupy"),
    )
    assert out.splitlines()[0] == "signal True"


def test_the_bridge_answers_without_arrow(run: Run) -> None:
    out = run(
        """
        from renyi import bridge
        print(bridge.versions()["ok"], bridge.select({"schema": "16", "array": "16"})["error"])
        """,
        blocked=("pyarrow",),
    )
    assert out.startswith("True {'code': 'extra', 'message': 'The package `pyarrow` cannot")
