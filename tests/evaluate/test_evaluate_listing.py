"""Lists of cases: by place, and with text only where it is allowed."""

from marked_pairs import pair

from plainsight.evaluate.listing import DISAGREEMENTS, ERRORS, TEXT, list_disagreements, list_errors

NOTE = pair(
    "{{PATIENT|Ann Roe}} in\n {{CITY|Cox}} of {{STATE|Ohio}} now",
    "{{PATIENT|Ann}} Roe in\n Cox of {{COUNTRY|Ohio}} {{DATE|now}}",
    name="n",
)


def test_errors():
    listed = list(list_errors([NOTE]))
    assert listed == [
        ("n", "extent", "short", "PATIENT", 0, 7, "PATIENT", 0, 3, "", 1.0),
        ("n", "missing", "", "CITY", 12, 15, "", "", "", "", ""),
        ("n", "type", "", "STATE", 19, 23, "COUNTRY", 19, 23, "", 1.0),
        ("n", "spurious", "", "", "", "", "DATE", 24, 27, "", 1.0),
    ]
    assert {len(row) for row in listed} == {len(ERRORS)}


def test_text_is_on_one_line():
    shown = [row[len(ERRORS) :] for row in list_errors([NOTE], show_text=True)]
    assert shown[1] == ("Ann Roe in", "Cox", "of Ohio now")
    assert {len(row) for row in shown} == {len(TEXT)}


def test_what_is_right_is_not_listed():
    assert not list(list_errors([pair("{{AGE|70}}", "{{AGE|70}}")]))


def test_disagreements_with_the_first_of_several():
    gold = "{{PATIENT|Ann}} {{AGE|70}}"
    systems = {
        "one": [pair(gold, "{{DOCTOR|Ann}} 70")],
        "two": [pair(gold, "Ann {{AGE|70}}")],
        "three": [pair(gold, "{{PATIENT|Ann}} 70")],  # agrees: another label is no matter
    }
    listed = list(list_disagreements(systems))
    assert listed == [("1", "AGE", 4, 6, "two", "one"), ("1", "PATIENT", 0, 3, "one", "two")]
    assert {len(row) for row in listed} == {len(DISAGREEMENTS)}
    assert next(list_disagreements(systems, show_text=True))[len(DISAGREEMENTS) :] == ("Ann", "70", "")
