"""Kernels, their widths, and products of Gram matrices that are never stored."""

from renyi.kernels._aliases import equal_kernels
from renyi.kernels._bandwidth import growth_factor, resolve_sigma
from renyi.kernels._model import MOST_SOFT_LEVELS, KernelModel, balanced, build_part
from renyi.kernels._part import KernelName, KernelPart, SoftCodes
from renyi.kernels._product import KernelProduct, pack_codes

__all__ = [
    "MOST_SOFT_LEVELS",
    "KernelModel",
    "KernelName",
    "KernelPart",
    "KernelProduct",
    "SoftCodes",
    "balanced",
    "build_part",
    "equal_kernels",
    "growth_factor",
    "pack_codes",
    "resolve_sigma",
]
