"""Small annotated notes, as many as are wanted."""

from plainsight.document import Document
from plainsight.formats.inline import parse

PEOPLE = (
    "Adaeze Okonkwo",
    "Lars Bjornstad",
    "Mei Tanaka",
    "Rosa Villareal",
    "Ian Pettibone",
    "Uma Thackeray",
)
TOWNS = ("Dunmore", "Ashby", "Port Callan", "Tilbury", "Westbrook", "Malin")


def note(number: int, **more) -> Document:
    """Write one of as many small notes as are wanted."""
    person, other = PEOPLE[number % 6], PEOPLE[(number // 6 + 1) % 6]
    text = (
        f"Patient: {{{{PATIENT|{person}}}}} seen {{{{DATE|{number % 12 + 1}/{number % 27 + 1}/2019}}}}.\n"
        f"Lives in {{{{CITY|{TOWNS[number % 5]}}}}}. Pain better, no fever. BP 12{number % 10}/80.\n"
        f"Dr. {{{{DOCTOR|{other}}}}} will see her again on {{{{DATE|3/{number % 27 + 1}}}}}. Continue plan."
    )
    return Document(f"note-{number:02}", *parse(text), **more)
