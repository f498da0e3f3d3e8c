"""Surrogate e-mails, web addresses, machines and logins: reserved, linked to names and numbers, apart."""

import ipaddress
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Patient
from plainsight.replace.surrogate.contacts.web import Addresses, Web, segments, split
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.numbers import Numbers
from plainsight.replace.surrogate.scope import Mention, Scope

RESERVED = re.compile(
    r".*(?:^|[@./])(?:example\.(?:com|org|net)|example)(?:[/?:].*)?", re.IGNORECASE | re.DOTALL
)
DOCUMENTATION = [ipaddress.ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")]


WORDS = {
    "ernestine": "Harriet",
    "gaithers": "Mosley",
    "mai": "Pa",
    "see": "Nou",
    "xiong": "Vang",
    "pinkham": "Hale",
    "gray": "Stroud",
    "linda": "Susan",
    "o'brien": "Kelly",
    "josé": "Luis",
    "bill": "Hugh",
    "ed": "Al",
    "smith": "Fuller",
    "alma": "Olga",
    "quintero": "Meza",
}


def name_word(word):
    """Return the surrogate of a name word, as the names kind does."""
    made = WORDS.get(word.lower())
    return made and (made.upper() if word.isupper() else made if word[0].isupper() else made.lower())


NAMES = ("Ernestine L. Gaithers", "Mai See Xiong", "Linda Pinkham-Gray", "Sean O'Brien", "José")


def surrogates(
    *marked,
    key=bytes(32),
    people=True,
    names=NAMES,
    patient=None,
    ranges="fictional",
    organisation=lambda text, note: "",
):
    marked = [*marked, *(("PATIENT", name) for name in names)]
    mentions = [Mention(0, place, place + 1, label, text) for place, (label, text) in enumerate(marked)]
    document = Document("1", " " * (len(marked) + 1), patient=patient)
    scope = Scope(Keyed(key).child("p"), [document], mentions)
    mine = [mention for mention in mentions if mention.label != "PATIENT"]
    word = name_word if people else lambda word: None
    web = Web(scope, name_word=word, organisation=organisation, ranges=ranges)
    machines = [mention for mention in mine if mention.label == "IPADDR"]
    others = [mention for mention in mine if mention.label != "IPADDR"]
    made = dict(zip(machines, Addresses(scope, ranges=ranges).surrogates(machines), strict=True))
    made |= dict(zip(others, web.surrogates(others), strict=True))
    return [made[mention] for mention in mine]


@pytest.mark.parametrize(
    ("login", "pattern"),
    [
        ("egaithers60", r"hmosley\d\d"),
        ("EGAITHERS60", r"HMOSLEY\d\d"),
        ("ernestine.gaithers", "harriet.mosley"),
        ("Ernestine_Gaithers", "Harriet_Mosley"),
        ("gaithers", "mosley"),
        ("gaitherse", "mosleyh"),
        ("egaith7", r"hmosle\d"),
        ("maisee.xiong", "panou.vang"),
        ("lpinkhamgray", "shalestroud"),
        ("LPinkhamGray", "SHaleStroud"),
        ("pinkham-gray", "hale-stroud"),
        ("sobrien", "[a-z]kelly"),
        ("jose99", r"luis\d\d"),
        ("emgaithers", "h[a-z]mosley"),
        ("msx12", r"pnv\d\d"),
        ("gaithers-rn", "mosley-rn"),
    ],
)
def test_logins_follow_the_surrogate_of_the_name(login, pattern):
    (made,) = surrogates(("USERNAME", login))
    assert re.fullmatch(pattern, made)
    assert made.lower() != login.lower()


def test_email_and_login_agree_in_any_case():
    email, login, shouted = surrogates(
        ("EMAIL", "egaithers60@gmail.com"), ("USERNAME", "egaithers60"), ("EMAIL", "EGAITHERS60@gmail.com")
    )
    assert email.partition("@")[0] == login
    assert shouted.partition("@")[0] == login.upper()
    assert email.partition("@")[2] == shouted.partition("@")[2]


def test_names_of_the_record_count():
    patient = Patient(id="1", names=("Ernestine Gaithers",))
    (made,) = surrogates(("USERNAME", "egaithers"), names=(), patient=patient)
    assert made == "hmosley"


@pytest.mark.parametrize(
    ("label", "text", "pattern"),
    [
        ("EMAIL", "bill.smith@aol.com", r"hugh\.fuller@.*"),
        ("EMAIL", "bill@aol.com", "hugh@.*"),
        ("EMAIL", "Ed.Smith@aol.com", r"Al\.Fuller@.*"),
        ("USERNAME", "smith.bill", r"fuller\.hugh"),
        ("URL", "https://doxy.me/bill", "https://.*/hugh"),
        ("URL", "https://doxy.me/ed", "https://.*/al"),
    ],
)
def test_a_given_name_is_no_function(label, text, pattern):
    (made,) = surrogates((label, text), names=("Bill Smith", "Ed Smith"))
    assert re.fullmatch(pattern, made)


def test_beside_a_name_a_short_given_name_is_no_function():
    (made,) = surrogates(("EMAIL", "dot.gaithers@aol.com"), names=("Dorothy Gaithers",))
    assert re.match(r"(?!dot)[a-z]+\.mosley@", made)


@pytest.mark.parametrize("names", [("A. Quintero", "Alma Quintero"), ("Alma Quintero", "A Quintero")])
def test_an_initial_is_that_of_the_whole_given_name(names):
    (made,) = surrogates(("USERNAME", "aquintero6"), names=names)
    assert re.fullmatch(r"omeza\d", made)


def test_names_without_a_surrogate_are_made_up():
    (made,) = surrogates(("USERNAME", "tokonkwo"), names=("Tunde Okonkwo",))
    assert re.fullmatch("[a-z]{4,12}", made)
    assert "okonkwo" not in made


@given(st.lists(st.from_regex(r"[a-z]{3,9}[0-9]{0,3}", fullmatch=True), min_size=1, max_size=10, unique=True))
def test_unknown_logins_differ_and_are_nobodys(logins):
    made = surrogates(*(("USERNAME", login) for login in logins), people=False, names=())
    assert all(old != new for old, new in zip(logins, made, strict=True))
    assert made == surrogates(*(("USERNAME", login) for login in logins), people=False, names=())
    for old, new in zip(logins, made, strict=True):
        if not new:  # it names a function, such as lab
            continue
        assert re.sub(r"\d", "", new).isalpha()
        assert len(re.sub(r"\D", "", new)) == len(re.sub(r"\D", "", old))


def test_other_keys_give_others():
    marked = [("USERNAME", f"{letter}figueira") for letter in "abcdefghij"]
    assert not set(surrogates(*marked)) & set(surrogates(*marked, key=bytes(range(32))))


@pytest.mark.parametrize(
    ("email", "ending"),
    [
        ("kdrozdov@alapv-rheum.com", ".example.com"),
        ("jroy@clinbridge.org", ".example.org"),
        ("mb@peachpost.net", ".example.net"),
        ("midge@prairielink.ca", ".example"),
        ("a.b@cardio.caldervale.nhs.uk", ".example"),
        ("rt@cvhcc.health", ".example"),
        ("x@mail.example.com", "@mail.example.com"),
        ("JROY@CLINBRIDGE.ORG", ".EXAMPLE.ORG"),
    ],
)
def test_emails_go_to_reserved_domains_of_their_kind(email, ending):
    (made,) = surrogates(("EMAIL", email))
    assert made.endswith(ending)
    assert RESERVED.fullmatch(made)
    assert made.partition("@")[0].lower() != email.partition("@")[0].lower()
    for label in split(email.partition("@")[2])[0]:
        assert label == "mail" or label not in made.lower()


def test_same_domain_same_domain_other_domain_another():
    one, two, other, url = surrogates(
        ("EMAIL", "a1@bayview.org"),
        ("EMAIL", "b2@bayview.org"),
        ("EMAIL", "a1@lakeshore.org"),
        ("URL", "https://mychart.bayview.org/login"),
    )
    assert one.partition("@")[2] == two.partition("@")[2] != other.partition("@")[2]
    assert url == f"https://mychart.{one.partition('@')[2]}/login"


def test_functions_keep_their_login():
    (made,) = surrogates(("EMAIL", "front.desk@hilobaypc.com"))
    assert made.startswith("front.desk@")
    assert "hilobay" not in made
    assert not surrogates(("EMAIL", "info@example.com"))[0].startswith("info")


@pytest.mark.parametrize(
    "text",
    ["rosie.p 1961@mail.example", "Rosie Penn <rosie@aol.com>", "rosie at aol dot com", "@rosie", "rosie@"],
)
def test_odd_emails_keep_nothing_of_the_name(text):
    (made,) = surrogates(("EMAIL", text), names=())
    assert "rosie" not in made.lower()
    assert "penn" not in made.lower()


@pytest.mark.parametrize(
    "url",
    [
        "https://my.helixhollow.com/r/0091-77Q4",
        "www.cascadewi.org/portal",
        "doxy.me/gaithers",
        "https://sierrakings.zoom.us:8443/j/91822004471?pwd=x9#top",
        "HTTP://WWW.BAYVIEW.ORG",
        "www.example.com",
        "portal.example/hep",
    ],
)
def test_urls_are_reserved_and_hold_no_number_of_the_original(url):
    (made,) = surrogates(("URL", url))
    assert made.lower() != url.lower()
    assert RESERVED.fullmatch(made)
    assert made.partition("://")[0] == url.partition("://")[0] or "://" not in url
    assert re.sub(r"[^/?&=#]", "", made) == re.sub(r"[^/?&=#]", "", url)
    assert not set(re.findall(r"\d{5,}", url)) & set(re.findall(r"\d{5,}", made))


def test_a_number_in_a_path_is_the_one_of_the_notes():
    text = "Study CCL-23-2280 at https://pacs.bayview.net/view?study=CCL-23-2280"
    number, url = Mention(0, 6, 17, "IDNUM", "CCL-23-2280"), Mention(0, 21, len(text), "URL", text[21:])
    scope = Scope(Keyed(bytes(32)), [Document("1", text)], [number, url])
    (made,) = Web(scope, name_word=lambda word: None, organisation=lambda text, note: "").surrogates([url])
    assert made.endswith("/view?study=" + Numbers(scope).surrogates([number])[0])


@given(st.lists(st.ip_addresses(v=4).map(str), min_size=1, max_size=20, unique=True))
def test_ipv4_addresses_are_of_documentation(addresses):
    made = surrogates(*(("IPADDR", address) for address in addresses))
    assert made == [surrogates(("IPADDR", address))[0] for address in addresses]
    assert not any(old == new for old, new in zip(addresses, made, strict=True))
    for address in made:
        assert any(ipaddress.ip_address(address) in net for net in DOCUMENTATION)


@given(st.ip_addresses(v=6))
def test_ipv6_addresses_are_of_documentation(address):
    for text in {str(address), address.exploded}:
        (made,) = surrogates(("IPADDR", text))
        assert ipaddress.ip_address(made) in ipaddress.ip_network("2001:db8::/32")
        assert made != text or text == "2001:db8::"


@pytest.mark.parametrize("text", ["::ffff:10.1.2.3", "0000:0000:0000:0000:0000:ffff:10.1.2.3"])
def test_ipv6_addresses_that_end_in_an_ipv4_address(text):
    (made,) = surrogates(("IPADDR", text))
    assert ipaddress.ip_address(made) in ipaddress.ip_network("2001:db8::/32")


def test_more_machines_than_documentation_has():
    texts = [f"10.0.{net}.{machine}" for net in range(4) for machine in range(200)]
    assert all(
        re.fullmatch(r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+", made)
        for made in surrogates(*(("IPADDR", text) for text in texts))
    )


def test_ports_masks_and_macs():
    port, mask, spoken, mac = surrogates(
        ("IPADDR", "10.0.0.1:8080"),
        ("IPADDR", "10.44.7.0/24"),
        ("IPADDR", "10.1.2.3 port 22"),
        ("IPADDR", "00:1A:2B:3C:4D:5E"),
    )
    assert port.endswith(":8080")
    assert mask.endswith("/24")
    assert spoken.endswith(" port 22")
    assert re.fullmatch(r"(?:[\dA-F]{2}:){5}[\dA-F]{2}", mac)
    assert mac != "00:1A:2B:3C:4D:5E"


@pytest.mark.parametrize("label", ["EMAIL", "URL", "IPADDR", "USERNAME"])
@pytest.mark.parametrize(
    "text", ["王小明", "Ünal.é", "a\nb", "x" * 200, "1" * 200, "10.x.x.4", "a@b", "http://", "ab", "é", "ꙮ@ꙮ"]
)
def test_odd_input_never_crashes_nor_stays(label, text):
    (made,) = surrogates((label, text))
    assert made.lower() != text.lower()


@pytest.mark.parametrize("label", ["EMAIL", "URL", "IPADDR", "USERNAME"])
@pytest.mark.parametrize("text", ["", "---", "@", "\x00"])
def test_nothing_to_change(label, text):
    assert surrogates((label, text)) in ([text], [""])


def test_hosts_are_split_into_owner_and_suffix():
    assert split("pacsserver") == (["pacsserver"], "", "example")
    assert split("www.bayview.org") == (["www", "bayview"], "org", "example.org")
    assert split("bayview.com.au") == (["bayview"], "com.au", "example.com")
    assert segments("bayviewhealth")[-1] == "health"


def test_a_domain_follows_its_hospital():
    asked = []

    def organisation(text, note):
        asked.append(text)
        return {"Lakes Regional": "Hill's Regional", "LRH": "hrh"}[text]

    made = surrogates(
        ("EMAIL", "egaithers@lakesregional.org"),
        ("URL", "https://mychart.lrh.org/"),
        ("EMAIL", "EGAITHERS@LAKES-REGIONAL.ORG"),
        ranges="plausible",
        organisation=organisation,
    )
    assert made == ["hmosley@hillsregional.org", "https://mychart.hrh.org/", "HMOSLEY@HILLS-REGIONAL.ORG"]
    assert asked == ["Lakes Regional", "LRH", "Lakes Regional"]


def test_mail_providers_become_mail_providers():
    made = {
        surrogates(("EMAIL", "e@gmail.com"), ranges="plausible", key=bytes([key]) * 32)[0]
        for key in range(60)
    }
    assert len({address.partition("@")[2] for address in made}) > 10
    assert all(address.partition("@")[2].count(".") == 1 for address in made)


@given(st.ip_addresses(v=4).map(str))
def test_plausible_machines_stay_in_their_range(address):
    (made,) = surrogates(("IPADDR", address), ranges="plausible")
    old, new = ipaddress.ip_address(address), ipaddress.ip_address(made)
    assert old != new
    assert made.partition(".")[0] == address.partition(".")[0]


@pytest.mark.parametrize("address", ["10.1.2.3", "192.168.7.9", "172.20.1.1", "fe80::1", "::1"])
def test_private_machines_stay_private(address):
    for key in range(10):
        (made,) = surrogates(("IPADDR", address), ranges="plausible", key=bytes([key]) * 32)
        assert made != address
        assert ipaddress.ip_address(made).is_private or address == "::1"
