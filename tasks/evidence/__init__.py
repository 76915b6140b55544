"""The record: store, sign, verify, export, render (EVI)."""
