"""Noun: what a memory is. Pure: no disk, no clock, no network."""
