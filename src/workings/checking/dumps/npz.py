"""Reads `.npz` without trusting it: its directory and every array's header are checked before a byte is unpacked."""

from __future__ import annotations

import struct
import warnings
import zipfile
import zlib
from math import prod
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from workings.tensors.tensor import Tensor
from workings.terms.errors import BadTensorFile, TensorFileTooLarge, UnsafeFile

MAX_MEMBERS = 10_000
MAX_UNPACKED = 16 * 1024**3
MAX_RATIO = 200
RATIO_FROM = 64 * 1024**2  # smaller members may shrink as they like: a mask of ones does
MAX_NPY_HEADER = 10_000
LOCAL_HEADER = 30
MAPPED_FROM = 1024**2
SUFFIX = ".npy"
ENCRYPTED = 0x1
KINDS = "fbiuU"


def read_npz(path: str, size: int) -> list[Tensor]:
    """Its arrays; large ones that are not compressed are mapped from the file.

    Raises ``BadTensorFile``, ``TensorFileTooLarge`` or ``UnsafeFile``.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_directory(path, members, size)
            return [_member(path, archive, member) for member in members]
    except (zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, struct.error) as error:
        flaw = "checksum" if "CRC" in str(error) else "zip"
        raise BadTensorFile(path=path, offset=0, flaw=flaw) from None
    except (UnicodeDecodeError, OverflowError):
        raise BadTensorFile(path=path, offset=0, flaw="zip") from None


def _check_directory(path: str, members: list[zipfile.ZipInfo], size: int) -> None:
    if len(members) > MAX_MEMBERS:
        raise TensorFileTooLarge(path=path, counted="tensors", seen=len(members), limit=MAX_MEMBERS)
    names = [member.filename for member in members]
    if not any(name.endswith(SUFFIX) for name in names):
        raise UnsafeFile(path=path, kind="torch" if any(n.endswith("data.pkl") for n in names) else "archive")
    unpacked = 0
    for member in members:
        _check_member(path, member, size)
        unpacked += member.file_size
    if unpacked > MAX_UNPACKED:
        raise TensorFileTooLarge(path=path, counted="unpacked", seen=unpacked, limit=MAX_UNPACKED)
    if len(set(names)) != len(names):
        raise BadTensorFile(path=path, offset=0, flaw="duplicate")


def _check_member(path: str, member: zipfile.ZipInfo, size: int) -> None:
    def refuse(flaw: str) -> BadTensorFile:
        return BadTensorFile(path=path, offset=member.header_offset, flaw=flaw)

    name = member.filename
    if not name.endswith(SUFFIX) or "/" in name or "\\" in name or ".." in name or "\0" in member.orig_filename:
        raise refuse("member-name")
    if member.flag_bits & ENCRYPTED:
        raise refuse("encrypted")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refuse("compression")
    if member.compress_size > size or member.header_offset + LOCAL_HEADER > size:
        raise refuse("short")
    if member.compress_type == zipfile.ZIP_STORED and member.compress_size != member.file_size:
        raise refuse("size")
    if member.file_size > RATIO_FROM and member.file_size > MAX_RATIO * max(member.compress_size, 1):
        ratio = member.file_size // max(member.compress_size, 1)
        raise TensorFileTooLarge(path=path, counted="ratio", seen=ratio, limit=MAX_RATIO)


def _member(path: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Tensor:
    """One array: its header, whether its bytes are all there, and then the bytes."""

    def refuse(flaw: str) -> BadTensorFile:
        return BadTensorFile(path=path, offset=member.header_offset, flaw=flaw)

    with archive.open(member) as file:
        try:
            shape, fortran, dtype = _npy_header(file)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, OverflowError):
            raise refuse("npy-header") from None
        if dtype.hasobject:
            raise UnsafeFile(path=path, kind="objects")
        if dtype.kind not in KINDS or dtype.names is not None or dtype.subdtype is not None:
            raise refuse("dtype")
        if not all(type(part) is int and 0 <= part < 2**63 for part in shape) or len(shape) > 32:
            raise refuse("shape")
        begin = file.tell()
        if prod(shape) * dtype.itemsize != member.file_size - begin:
            raise refuse("size")
        held = _held(path, file, member, begin, dtype, prod(shape))
    try:
        array = held.reshape(shape, order="F" if fortran else "C")
    except ValueError:
        raise refuse("shape") from None
    return Tensor(member.filename.removesuffix(SUFFIX), dtype.newbyteorder("=").name, array)


def _npy_header(file: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        version = npy.read_magic(file)
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
        if read is None:
            raise ValueError("version")
        shape, fortran, dtype = read(file, max_header_size=MAX_NPY_HEADER)
    return shape, bool(fortran), dtype


def _held(path: str, file: IO[bytes], member: zipfile.ZipInfo, begin: int, dtype: np.dtype[Any], count: int) -> Any:
    size = count * dtype.itemsize
    if member.compress_type == zipfile.ZIP_STORED and size >= MAPPED_FROM:
        with open(path, "rb") as raw:
            raw.seek(member.header_offset)
            local = raw.read(LOCAL_HEADER)
        names = int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little")
        place = member.header_offset + LOCAL_HEADER + names + begin
        return np.memmap(path, dtype=dtype, mode="r", offset=place, shape=(count,))
    data = file.read()
    if len(data) != size:
        raise BadTensorFile(path=path, offset=member.header_offset, flaw="short")
    return np.frombuffer(data, dtype=dtype, count=count) if size else np.empty(count, dtype)
