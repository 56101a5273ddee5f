"""Which features stay, as a record."""

from renyi.selection import Sensitivity, SensitivitySetting


def setting(bandwidth, selected, stopped="criterion"):
    return SensitivitySetting(
        alpha=2.0, bandwidth=bandwidth, selected=tuple(selected), stopped=stopped, reason="so"
    )


FOUND = Sensitivity(
    asked=5,
    settings=(
        setting(1.0, "ab"),
        setting(2.0, "ba"),
        setting(3.0, "b"),
        setting("growing", "", stopped=None),  # could not be run: it says nothing of any feature
    ),
)


def test_shares_are_of_the_settings_that_were_run():
    assert [(s.feature, s.count, s.share) for s in FOUND.features] == [
        ("b", 3, 1.0),
        ("a", 2, 2 / 3),
    ]


def test_a_setting_without_features_counts():
    found = Sensitivity(asked=2, settings=(setting(1.0, "a"), setting(2.0, "")))
    assert [(s.feature, s.share) for s in found.features] == [("a", 0.5)]


def test_nothing_run_is_nothing_said():
    assert Sensitivity(asked=2, settings=()).features == ()


def test_it_comes_back_from_json():
    record = FOUND.to_dict()
    assert Sensitivity.from_dict(record | {"of_a_newer_version": 1}) == FOUND
    assert [s["size"] for s in record["settings"]] == [2, 2, 1, 0]
