"""What chance gives the best candidate of a step: one interface, by draws of several kinds.

A gain's mean and deviation over all orders of the rows, in closed form, are sums over pairs of rows
and stand in `renyi.order2`.
"""

from renyi.nulls._alike import Alike, alike_rows
from renyi.nulls._all_gains import AllGains
from renyi.nulls._best import BestGains
from renyi.nulls._null import Null, ScoreNull, StandardisedNull
from renyi.nulls._standardised import StandardisedGains
from renyi.nulls._tail import far_above, jump, out_of_reach, plain_tail

__all__ = [
    "Alike",
    "AllGains",
    "BestGains",
    "Null",
    "ScoreNull",
    "StandardisedGains",
    "StandardisedNull",
    "alike_rows",
    "far_above",
    "jump",
    "out_of_reach",
    "plain_tail",
]
