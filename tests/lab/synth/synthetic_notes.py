"""A small corpus for the tests of synthesis, and strategies for pieces."""

from hypothesis import strategies as st

from plainsight.document import Document
from plainsight.formats.inline import parse
from plainsight.lab.synth.pieces import Piece
from plainsight.labels import LABELS

MARKED = {
    "letters/one": """{{HOSPITAL|Lakeview Medical Center}}   MRN {{MEDICALRECORD|0371-88-214}}
Patient: {{PATIENT|Maria Delgado}}   DOB {{DATE|03/14/1951}}

HISTORY: Ms. {{PATIENT|Delgado}} is a {{AGE|67}} y.o. {{PROFESSION|welder}} seen {{DATE|April 2, 2019}} now.
She lives at {{STREET|12 Elm Street}}, {{CITY|Dayton}}, {{STATE|OH}} {{ZIP|45402}}, son {{PATIENT|Luis}}.

PLAN: call {{PHONE|(937) 555-0142}}, fax {{FAX|937-555-0143}}, see Dr. {{DOCTOR|Okafor}} on {{DATE|4/9}}.

Signed {{DOCTOR|Adaeze Okafor}}, MD  {{DATE|2019-04-02}}  {{USERNAME|aok12}}
""",
    "letters/two": """{{HOSPITAL|St. Brendan Hospital}}  Acct {{ACCOUNT|V10088317}}  {{DATE|11/02/2016}}
Name: {{PATIENT|John Q. Hargrove}}  SSN {{SSN|912-44-1188}}

Mr. {{PATIENT|Hargrove}} was admitted {{DATE|Monday}} from {{ORGANIZATION|Sunrise Shelter}}; stable overnight.

Mail {{EMAIL|jhargrove@mail.example.org}}, portal {{URL|https://my.brendan.example.org}}, {{IPADDR|10.2.3.4}}.

Electronically signed: {{DOCTOR|R. Fannin}}, RN {{DATE|11/3/16}}
""",
    "clean/none": "Lungs clear. No identifiers here.\n\nFollow up as needed.\n",
}


def corpus() -> list[Document]:
    return [Document(name, *parse(text)) for name, text in MARKED.items()]


_text = st.text(alphabet="abcXYZ 0189.,:/-\n\téß", min_size=1, max_size=30)
_marked = _text.map(str.strip).filter(bool)
pieces = st.lists(
    st.one_of(_text.map(Piece), st.builds(Piece, _marked, st.sampled_from(LABELS))), max_size=12
)
