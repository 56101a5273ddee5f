"""The one forward search and its answer."""

from renyi.selection._bandwidth import choose_bandwidth
from renyi.selection._explain import explain
from renyi.selection._lacking import lacking_note
from renyi.selection._notes import SATURATED_BITS, notes_of
from renyi.selection._saturation import chance_note
from renyi.selection._search import ForwardSearch
from renyi.selection.records._bandwidth_record import BandwidthChoice, BandwidthTrial
from renyi.selection.records._frozen import FrozenMapping, thawed
from renyi.selection.records._records import (
    SCHEMA_VERSION,
    Entropies,
    RunnerUp,
    SelectionPath,
    Step,
    Stopped,
    Verdict,
)
from renyi.selection.records._sensitivity import FeatureShare, Sensitivity, SensitivitySetting
from renyi.selection.records._stability import Stability, StabilityHalf, StabilityThreshold
from renyi.selection.records._unselected import EXPLAINED_BITS, Unselected, WhyNot
from renyi.selection.records._work import StepWork

__all__ = [
    "EXPLAINED_BITS",
    "SATURATED_BITS",
    "SCHEMA_VERSION",
    "BandwidthChoice",
    "BandwidthTrial",
    "Entropies",
    "FeatureShare",
    "ForwardSearch",
    "FrozenMapping",
    "RunnerUp",
    "SelectionPath",
    "Sensitivity",
    "SensitivitySetting",
    "Stability",
    "StabilityHalf",
    "StabilityThreshold",
    "Step",
    "StepWork",
    "Stopped",
    "Unselected",
    "Verdict",
    "WhyNot",
    "chance_note",
    "choose_bandwidth",
    "explain",
    "lacking_note",
    "notes_of",
    "thawed",
]
