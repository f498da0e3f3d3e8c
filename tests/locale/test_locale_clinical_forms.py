"""Clinical forms as data of a locale."""

import pytest

from plainsight.errors import PluginError
from plainsight.locale.clinical_forms import clinical_forms


def forms_of(folder, content):
    (folder / "locale.toml").write_text('extends = "en_US"\n')
    (folder / "clinical_forms.toml").write_text(content)
    return clinical_forms(str(folder))


def test_a_form_needs_its_text_its_surroundings_and_its_label(tmp_path):
    found = forms_of(
        tmp_path,
        '[words]\nkinds = "rouge bleu"\n[[forms]]\nname = "colour"\ntext = "{kinds}"\nbefore = "le "\n'
        'after = " clair"\nlabels = ["CITY"]\n',
    )
    text = "le bleu clair"
    assert found.find(text, 3, 7, "CITY") == "colour"
    assert found.find(text, 3, 7, "STATE") == ""
    assert found.find(text, 2, 7, "CITY") == ""
    assert found.find("le bleu", 3, 7, "CITY") == ""
    assert found.find("un bleu clair", 3, 7, "CITY") == ""
    assert found.find("LE BLEU CLAIR", 3, 7, "CITY") == "colour"


def test_a_form_may_use_the_words_of_the_detectors(tmp_path):
    found = forms_of(tmp_path, '[[forms]]\nname = "unit"\ntext = "{date_cues.measure_after}"\n')
    assert found.find("5 mg", 2, 4, "DATE") == "unit"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('[[forms]]\nname = "x"\n', "a form needs name and text"),
        ('[[forms]]\nname = "x"\ntext = "a"\nbefor = "b"\n', "unknown key 'befor'"),
        ('[[forms]]\nname = "x"\ntext = "("\n', "x: "),
        ('[[forms]]\nname = "x"\ntext = "a"\nafter = "("\n', "x: "),
    ],
)
def test_a_wrong_form_is_refused(tmp_path, content, problem):
    with pytest.raises(PluginError, match=problem):
        forms_of(tmp_path, content)
