"""Tables and figures from logged runs.

Runs become cells (`collect`), cells under one setting become a grid (`cells`), a grid becomes tables of raw values
(`grab_rag`, `text_numbers`, `arctic`) and figures; only `formats` and `page` know how a value is printed.
"""
