"""Kernels, their widths, and products of Gram matrices that are never stored."""

from renyi.kernels._bandwidth import resolve_sigma
from renyi.kernels._model import KernelModel, build_part
from renyi.kernels._part import KernelName, KernelPart, SoftCodes
from renyi.kernels._product import KernelProduct, pack_codes

__all__ = [
    "KernelModel",
    "KernelName",
    "KernelPart",
    "KernelProduct",
    "SoftCodes",
    "build_part",
    "pack_codes",
    "resolve_sigma",
]
