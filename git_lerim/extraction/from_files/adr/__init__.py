"""Read architecture decision records of adr-tools, Nygard's template, MADR and log4brains."""

from git_lerim.extraction.from_files.adr.reading import read
from git_lerim.extraction.from_files.adr.record import is_record

__all__ = ["is_record", "read"]
