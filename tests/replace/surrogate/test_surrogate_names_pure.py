"""Names are a pure function of key, patient and word; absence tells nothing; groups of origin stay."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from plainsight.document import Document, Patient
from plainsight.formats.inline import parse
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names import census
from plainsight.replace.surrogate.names.canonical import group_of, parts
from plainsight.replace.surrogate.names.draw import draw
from plainsight.replace.surrogate.names.note_names import KnownName
from plainsight.replace.surrogate.names.people import People
from plainsight.replace.surrogate.operation import Surrogate
from plainsight.replace.surrogate.scope import Scope, mentions_of

CORPUS = Path(__file__).parents[3] / "corpus" / "longitudinal"
KEY = bytes(range(32))


def notes(number: int, *, record: bool) -> list[Document]:
    """The notes of a patient of the corpus, with names alone marked."""
    patient = Patient.from_json(json.loads((CORPUS / f"p{number}.json").read_text("utf-8")))
    found = []
    for path in sorted(CORPUS.glob(f"p{number}-*.txt")):
        text, spans = parse(path.read_text("utf-8"))
        own = tuple(span for span in spans if span.label in ("PATIENT", "DOCTOR"))
        found.append(
            Document(path.stem, text, own, patient_id=patient.id, patient=patient if record else None)
        )
    return found


def made(documents: list[Document]) -> dict[str, list[str]]:
    surrogates = Surrogate(key=KEY).replace(documents)
    return {document.id: own for document, own in zip(documents, surrogates, strict=True)}


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("number", range(1, 7))
def test_a_note_gets_the_same_names_whatever_stands_beside_it(number: int, record: bool) -> None:
    documents = notes(number, record=record)
    together = made(documents)
    alone = {note.id: made([note])[note.id] for note in documents}
    halves = made(documents[:2]) | made(documents[2:])
    assert together == alone == halves == made(documents[::-1])


def replaced(*texts: str, who: str = "1", known: tuple[KnownName, ...] = ()) -> list[str]:
    documents = [Document(str(n), *parse(text), patient_id=who) for n, text in enumerate(texts)]
    scope = Scope(Keyed.from_secret(KEY).child(who), documents, mentions_of(documents))
    return People(scope, known).surrogates(scope.mentions)


# --- exclusion --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Hanratty", "Okafor", "Petrov", "Castillo", "Feldman", "Young"])
def test_the_rank_of_a_directors_name_is_as_by_chance(name: str) -> None:
    text = f"Director: Dr. {{{{DOCTOR|{name}}}}}"
    seen = Counter(replaced(text, who=str(number))[0].lower() for number in range(1000))
    bucket = census.home(name.lower())
    assert bucket is not None
    counts = [seen[other] for other in bucket.drawn]
    own = seen[name.lower()]
    rank = (sum(count < own for count in counts) + 0.5 * sum(count == own for count in counts)) / len(counts)
    assert 0.025 < rank < 0.975


def test_every_name_of_a_bucket_is_as_likely_for_every_original() -> None:
    """Which names appear says nothing about which one is the original."""
    bucket = next(b for b in census.load("surnames").buckets if b.group == "vi")
    keys = [Keyed.from_secret(bytes([n % 256, n // 256] * 16)) for n in range(3000)]
    for original in bucket.drawn[:2]:
        seen = Counter(draw(keyed, original, "") for keyed in keys)
        expected = len(keys) / len(bucket.drawn)
        chi = sum((seen[other] - expected) ** 2 / expected for other in bucket.drawn)
        assert set(seen) == set(bucket.drawn)
        assert chi < len(bucket.drawn) + 3 * (2 * len(bucket.drawn)) ** 0.5


@pytest.mark.parametrize("name", ["Hanratty", "Okafor", "Ernestine", "Wei", "Zorblaxia", "Do", "May"])
def test_a_patients_name_never_stays_nor_its_first_letter(name: str) -> None:
    for number in range(200):
        (new,) = replaced(f"Mx. {{{{PATIENT|{name}}}}} came", who=str(number))
        assert new[0] != name[0]


def test_a_relative_who_is_marked_as_a_provider_never_stays() -> None:
    text = "her daughter {{DOCTOR|Okafor}}, her sister Dr. {{DOCTOR|Hanratty}}"
    made = [replaced(text, who=str(number)) for number in range(400)]
    assert not {"Okafor", "Hanratty"} & {name for names in made for name in names}


# --- people in many forms, each in a note of its own --------------------------------------------------------

SAME = [
    ("Yousef", "Youssef"),
    ("Mohammed", "Muhammad"),
    ("Alrashid", "Al-Rashid"),
    ("Alrashid", "Al Rashid"),
    ("Elsayed", "El-Sayed"),
    ("Pa Houa", "Pahoua"),
    ("Min Jun", "Minjun"),
    ("Xiao-Ming", "Xiaoming"),
    ("van der Berg", "Vanderberg"),
    ("De La Cruz", "Delacruz"),
    ("DE LA CRUZ", "De la Cruz"),
    ("Di Giovanni", "DiGiovanni"),
    ("Lindqvist", "Lindquist"),
    ("Kathryn", "Katherine"),
    ("Zaynab", "Zainab"),
    ("Sergey", "Sergei"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_name_agree_without_seeing_each_other(one: str, other: str) -> None:
    for who in "123":
        letters = [
            "".join(filter(str.isalpha, replaced(f"{{{{PATIENT|{name}}}}}", who=who)[0])).casefold()
            for name in (one, other)
        ]
        assert letters[0] == letters[1]


def test_hyphen_halves_double_surnames_and_maiden_names_follow() -> None:
    both, chen, murphy = (
        replaced(f"{{{{PATIENT|{name}}}}}")[0] for name in ("Ana Chen-Murphy", "Ms. Chen", "Murphy")
    )
    assert both.split()[1] == f"{chen.split()[1]}-{murphy}"
    both, one = (replaced(f"{{{{PATIENT|{n}}}}}")[0] for n in ("Jose Maldonado Ibarra", "Maldonado"))
    assert both.split()[1] == one
    maiden, alone = (replaced(f"{{{{PATIENT|{name}}}}}")[0] for name in ("Ann Boyd née Kowalski", "Kowalski"))
    assert maiden.split()[2:] == ["née", alone]


def test_a_kunya_follows_the_son() -> None:
    father, mother, son = (
        replaced(f"{{{{PATIENT|{name}}}}}")[0] for name in ("Abu Khaled", "Umm Khaled", "Khaled")
    )
    assert (father, mother) == (f"Abu {son}", f"Umm {son}")


def test_slavic_names_keep_their_endings() -> None:
    his, hers = (replaced(f"{{{{PATIENT|{name}}}}}")[0] for name in ("Petrov", "Petrova"))
    assert hers in (f"{his}a", his, his[:-1] + "a", his[:-1] + "aya")
    assert replaced("{{PATIENT|Ivan Sergeyevich Petrov}}")[0].split()[1].endswith("evich")


@pytest.mark.parametrize("name", ["Caroline Whitfield", "Priya Raghunathan", "Fatima Haddad", "Jose Ibarra"])
@pytest.mark.parametrize("label", ["PATIENT", "DOCTOR"])
def test_initials_follow_given_names_that_another_note_has(name: str, label: str) -> None:
    given, surname = name.split()
    for who in "123":
        full, short = (
            replaced(f"{{{{{label}|{text}}}}}", who=who)[0] for text in (name, f"{given[0]}. {surname}")
        )
        assert short == f"{full[0]}. {full.split()[1]}"


def test_what_is_known_of_the_patient_resolves_initials_and_nicknames() -> None:
    known = (KnownName("Katherine Kowalski", "PATIENT"),)
    full, short, code = (
        replaced(f"{{{{PATIENT|{text}}}}}", known=known)[0] for text in ("Katherine Kowalski", "Kathy", "KK")
    )
    assert code.replace(".", "") == "".join(word[0] for word in full.split())
    assert group_of(short.lower()) == group_of(full.split()[0].lower())


@pytest.mark.parametrize("name", ["Do", "Fall", "May", "Long", "So"])
def test_names_that_are_words_get_names(name: str) -> None:
    text = f"Mr. {{{{PATIENT|{name}}}}} wants to do so in fall or may not for long"
    (new,) = replaced(text)
    assert re.fullmatch("[A-Z][a-z]+", new)
    assert new != name
    assert replaced(f"Mr. {{{{PATIENT|{name}}}}}") == [new]


def test_no_part_is_found_in_ordinary_names() -> None:
    for name in "delgado delaney alvarez alford alison vanessa linda elton dean denise".split():  # noqa: SIM905
        assert parts(name).words == (name,)


@pytest.mark.parametrize(
    ("one", "other"), [("Kovalchuk", "Kowalczuk"), ("Bazzi", "Bazi"), ("Hosky", "Hoskie")]
)
def test_spellings_that_sound_alike_are_one_name(one: str, other: str) -> None:
    assert replaced(f"{{{{PATIENT|{one}}}}}") == replaced(f"{{{{PATIENT|{other}}}}}")


@pytest.mark.parametrize(("apart", "joined"), [("Many Goats", "Manygoats"), ("Red Cloud", "Redcloud")])
def test_a_surname_of_two_words_is_also_written_as_one(apart: str, joined: str) -> None:
    one, other = replaced(f"{{{{PATIENT|Ray {apart}}}}}", f"{{{{PATIENT|Ray {joined}}}}}")
    assert one == other


@pytest.mark.parametrize(
    "names",
    [
        "Nadia Noor Nawal Naima Najat",
        "Kareem Khalil Kamal Khaled",
        "Tuan Thanh Trung Thien Toan",
    ],
)
def test_given_names_of_small_groups_rarely_become_one(names: str) -> None:
    given, people = names.split(), 60
    text = ", ".join(f"{{{{PATIENT|{name}}}}}" for name in given)
    apart = sum(len(set(replaced(text, who=str(who)))) for who in range(people))
    assert apart > 0.84 * people * len(given)


# --- groups -----------------------------------------------------------------------------------------------

# Names that the lists by which groups are learnt do not have.
PEOPLE = {
    "zh": "Zhihui Pang, Xueqin Mo, Jiawei Shu, Lihong Kuang, Yuqing Shang, Guanghui Shuai, Wing Kwong",
    "ko": "Hyunjin Gil, Soomin Eom, Jaewook Chon, Heesun Kwag, Taekwon Yang, Yujin Paeng",
    "vi": "Thanhha Nguyen, Hoangan Dinh, Quocbao Tran, Trucly Huynh, Thienan Doan, Vinhphuc Trinh",
    "hm": "Maichee Vang, Toupao Xiong, Gaohoua Moua, Kongpao Thao, Panou Lor, Mainou Vue",
    "ja": "Ayako Matsui, Shinobu Kikuchi, Tomohiro Hirata, Mayuko Nomura, Kazuhiro Sugimoto, Emiko Oda",
    "in": "Rajeshwari Bhosale, Pranav Kulshrestha, Hemant Sawant, Nandita Chakravarty, Gurvinder Mann",
    "ph": "Marivic Catapang, Rodelio Macalintal, Jocelyn Magpantay, Nenita Dimapilis, Arnel Manlapaz",
    "ar": "Rawan Alshehhi, Muath Alharthi, Nahla Elmasri, Ayman Shehab, Samah Ghandour, Qusay Aljubouri",
    "fa": "Shahin Mahmoudi, Parastoo Jalali, Behrang Naghavi, Mahvash Sadri, Kamyar Ghazvini, Arezou Farzan",
    "wa": "Chukwuebuka Okechukwu, Olusegun Adeoye, Nkiruka Nwoke, Kwamena Asiedu, Aissata Sow",
    "ea": "Gebreyesus Tekeste, Mesfin Worku, Ayaan Warsame, Abdiweli Hirsi, Wangui Kamau, Birhanu Mamo",
    "sl": "Bogdana Zielinska, Yaroslava Pavlenko, Zoran Jankovic, Przemyslaw Gorski, Lyubov Romanova",
    "je": "Shmaryahu Rosenblatt, Chavie Goldfinger, Yechezkel Feuerstein, Nosson Weinreb, Malky Lowy",
    "na": "Darlene Yazzie, Elroy Begaye, Myron Whitehat, Verna Manygoats, Delphine Tsosie",
    "hi": "Yuridia Covarrubias, Heriberto Zepeda, Maricruz Arreola, Ovidio Galindo, Nayeli Tlaxcala",
    "gr": "Stamatina Kouros, Panayiotis Theodoropoulos, Vasiliki Christakis, Stavros Kanellopoulos",
    "it": "Pierluigi Tagliaferri, Rosalba Quattrocchi, Gianluca Ferrante, Nicoletta Brancato",
}


def kept(group: str) -> list[bool]:
    """Whether the surname's surrogate, or that of the given name, is of the group, for each person."""
    found = []
    for who, person in product(range(5), PEOPLE[group].split(", ")):
        (new,) = replaced(f"{{{{PATIENT|{person}}}}}", who=str(who))
        words = [word for part in new.lower().split() for word in parts(part).words]
        found.append(any(group_of(word) == group for word in words))
    return found


def test_surrogates_keep_the_group_of_origin() -> None:
    results = {group: kept(group) for group in PEOPLE}
    shares = {group: sum(own) / len(own) for group, own in results.items()}
    assert sum(map(sum, results.values())) / sum(map(len, results.values())) > 0.85
    assert {group for group, share in shares.items() if share < 0.5} == set()  # few people each
