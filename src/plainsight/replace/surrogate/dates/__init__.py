"""Surrogates of dates: every date of a patient moves by one offset and keeps the form it is written in.

`plainsight.locale.date_grammar` reads a date, `conventions` learns from the note which reading holds, `shift`
moves it, and `plainsight.locale.date_render` writes it again. `shifter` leads a date through these steps;
`holiday_phrases` says what stands for a holiday.
"""
