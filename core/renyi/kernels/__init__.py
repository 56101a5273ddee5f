"""Kernels, their widths, and products of Gram matrices that are never stored."""

from renyi.kernels._aliases import equal_kernels
from renyi.kernels._bandwidth import growth_factor, resolve_sigma
from renyi.kernels._model import KernelModel, balanced, build_part, joint_target
from renyi.kernels._part import ColumnKernel, KernelPart, SoftCodes
from renyi.kernels._product import KernelProduct, pack_codes
from renyi.kernels._soft import MOST_SOFT_LEVELS
from renyi.kernels._tiled import TiledKernel

__all__ = [
    "MOST_SOFT_LEVELS",
    "ColumnKernel",
    "KernelModel",
    "KernelPart",
    "KernelProduct",
    "SoftCodes",
    "TiledKernel",
    "balanced",
    "build_part",
    "equal_kernels",
    "growth_factor",
    "joint_target",
    "pack_codes",
    "resolve_sigma",
]
