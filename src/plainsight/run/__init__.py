"""Engines: run a pipeline over whole inputs.

Local streaming now; process pools and Spark have their room here.
"""
