"""The searches and their answer."""

from renyi.selection._bandwidth import choose_bandwidth
from renyi.selection._base import Search
from renyi.selection._cost import Task, seconds_of
from renyi.selection._dependence import dependence_notes
from renyi.selection._lacking import lacking_note
from renyi.selection._notes import SATURATED_BITS, notes_of
from renyi.selection._saturation import chance_note
from renyi.selection._search import ForwardSearch
from renyi.selection._speed import Speed, speed_of
from renyi.selection.explaining._explain import explain
from renyi.selection.explaining._redundancy import Redundancy, redundancy, worth_showing
from renyi.selection.records._bandwidth_record import BandwidthChoice, BandwidthTrial
from renyi.selection.records._checks import check_fields
from renyi.selection.records._frozen import FrozenMapping, thawed
from renyi.selection.records._reading import Rebuilt, parsed
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
from renyi.selection.records._step import selected_after
from renyi.selection.records._unselected import EXPLAINED_BITS, Unselected, WhyNot
from renyi.selection.records._work import StepWork
from renyi.selection.searches._by_name import search_of

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
    "Rebuilt",
    "Redundancy",
    "RunnerUp",
    "Search",
    "SelectionPath",
    "Sensitivity",
    "SensitivitySetting",
    "Speed",
    "Stability",
    "StabilityHalf",
    "StabilityThreshold",
    "Step",
    "StepWork",
    "Stopped",
    "Task",
    "Unselected",
    "Verdict",
    "WhyNot",
    "chance_note",
    "check_fields",
    "choose_bandwidth",
    "dependence_notes",
    "explain",
    "lacking_note",
    "notes_of",
    "parsed",
    "redundancy",
    "search_of",
    "seconds_of",
    "selected_after",
    "speed_of",
    "thawed",
    "worth_showing",
]
