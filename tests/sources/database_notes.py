"""A small hospital in a database, and a policy that works by rules alone."""

from datetime import date

POLICY = """
name = "rules"
labels = "all"
detectors = ["patterns"]

[replace]
default = "surrogate"
"""
NOTES = [
    {
        "note_id": number,
        "person_id": None if number == 7 else number % 3 + 1,
        "ward": f"Ward {number % 2}",
        "seen": date(2019, 3, number + 1),
        "doctor": "Dr. Ngozi Quillfeather",
        "note_text": f"03/{number + 1:02}/2019, 4:1{number}: call 617-555-01{number:02}, MRN 40{number}7715.",
    }
    for number in range(9)
]
CANARIES = ["Quillfeather", "617-555-01", "/2019", "7715"]


def fill(url, table="notes", rows=NOTES, schema=None):
    """Create a table with the notes."""
    import sqlalchemy as sa

    engine = sa.create_engine(url)
    meta = sa.MetaData()
    made = sa.Table(
        table,
        meta,
        sa.Column("note_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("person_id", sa.BigInteger),
        sa.Column("ward", sa.Text),
        sa.Column("seen", sa.Date),
        sa.Column("doctor", sa.Text),
        sa.Column("note_text", sa.Text),
        schema=schema,
    )
    meta.create_all(engine)
    with engine.begin() as connection:
        connection.execute(made.insert(), list(rows))
    engine.dispose()


def rows_of(url, table="notes"):
    """Return the rows of a table, by dictionaries."""
    import sqlalchemy as sa

    engine = sa.create_engine(url)
    with engine.connect() as connection:
        rows = [dict(row._mapping) for row in connection.execute(sa.text(f"SELECT * FROM {table}"))]
    engine.dispose()
    return rows
