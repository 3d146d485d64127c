"""What the templates print: plain objects, made by pure functions.

What the code here cannot do: read the database, the request or a clock, or see anything of a
match that its viewer may not know; it is given a `View`, in which no secret has a field.  All
text comes from `raisesum.wording`; all HTML is the templates' own.

    cards.py   one card on the page, and a hand in the order its owner chose
    table.py   the table: seats, middle, hand, log, what to announce and how often to ask again
    home.py    the home page's list of tables, and the table that it shows
    rules.py   the rules page and the rules card
"""
