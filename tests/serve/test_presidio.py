import hashlib

import pytest

import plainsight

pytest.importorskip("fastapi")

TEXT = "SSN 219-09-9999, call 617-555-0123 or write to zq@example.org."


def post(client, path, **content):
    return client.post(path, json=content)


def found(client, **wanted):
    return post(client, "/analyze", text=TEXT, language="en", **wanted).json()


@pytest.mark.server  # importing Presidio takes long
def test_results_are_those_of_presidios_own_class(client, rules_file):
    analyzer = pytest.importorskip("presidio_analyzer")
    from plainsight.interop.presidio import PlainsightRecognizer

    results = PlainsightRecognizer(rules_file).analyze(TEXT, [])
    for result in results:
        del result.recognition_metadata  # as Presidio's service does
    assert found(client) == [result.to_dict() for result in results]
    assert {one["entity_type"] for one in found(client)} == {"US_SSN", "PHONE_NUMBER", "EMAIL_ADDRESS"}
    explained = found(client, return_decision_process=True)[0]["analysis_explanation"]
    assert set(explained) == set(analyzer.AnalysisExplanation("x", 0.5).to_dict())


def test_results_can_be_limited(client):
    assert [one["entity_type"] for one in found(client, entities=["US_SSN"])] == ["US_SSN"]
    assert found(client, score_threshold=1.0) == [one for one in found(client) if one["score"] >= 1]
    assert len(found(client, allow_list=["219-09-9999", "x"])) == 2
    assert len(found(client, allow_list=[r"219.*|^zq@EXAMPLE"], allow_list_match="regex")) == 1
    both = post(client, "/analyze", text=[TEXT, "nothing"], language="en").json()
    assert both == [found(client), []]


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"language": "de"},
        {"allow_list": ["(("], "allow_list_match": "regex"},
        {"allow_list": ["(a{1000}){1000}"], "allow_list_match": "regex"},
        {"ad_hoc_recognizers": [{"name": "Zip"}]},
        {"score_threshold": 7},
    ],
)
def test_what_cannot_be_honoured_is_refused(client, wrong):
    answer = post(client, "/analyze", **{"text": TEXT, "language": "en", **wrong})
    assert answer.status_code == 422
    assert answer.json()["error"]


def entity(start, end, kind, score=0.8):
    return {"start": start, "end": end, "entity_type": kind, "score": score}


@pytest.mark.parametrize(
    "results",
    [
        [],
        [entity(0, 3, "A"), entity(5, 9, "B")],
        [entity(5, 9, "B"), entity(0, 3, "A")],
        [entity(0, 5, "A"), entity(3, 9, "A")],  # overlapping, one kind
        [entity(0, 9, "A", 0.1), entity(3, 5, "B", 0.9)],  # one in the other
        [entity(3, 9, "A", 0.3), entity(3, 9, "B", 0.9)],  # one place
        [entity(3, 9, "A", 0.9), entity(3, 9, "B", 0.3)],
        [entity(0, 5, "A"), entity(3, 9, "B")],  # overlapping, two kinds
        [entity(0, 3, "A"), entity(4, 7, "A"), entity(8, 11, "A")],  # spaces between
        [entity(0, 3, "A"), entity(4, 7, "B"), entity(8, 11, "A")],
    ],
)
def test_anonymize_does_what_presidio_does(client, results):
    engine = pytest.importorskip("presidio_anonymizer").AnonymizerEngine()
    entities = pytest.importorskip("presidio_anonymizer.entities")
    text = "abc efg ijk mno"
    operators = {"A": {"type": "replace", "new_value": "🙂🙂"}, "B": {"type": "mask"}}
    operators["B"] |= {"masking_char": "*", "chars_to_mask": 3, "from_end": True}
    wanted = engine.anonymize(
        text=text,
        analyzer_results=[
            entities.RecognizerResult(one["entity_type"], one["start"], one["end"], one["score"])
            for one in results
        ],
        operators={name: entities.OperatorConfig.from_json(dict(value)) for name, value in operators.items()},
    )
    made = post(client, "/anonymize", text=text, analyzer_results=results, anonymizers=operators).json()
    assert made == {"text": wanted.text, "items": [item.to_dict() for item in wanted.items]}


def test_operators(client):
    def one(**operator):
        results, anonymizers = [entity(4, 15, "US_SSN")], {"DEFAULT": operator} if operator else {}
        answer = post(client, "/anonymize", text=TEXT, analyzer_results=results, anonymizers=anonymizers)
        return answer.json()["text"].partition(",")[0] if answer.status_code == 200 else answer.status_code

    assert one() == "SSN <US_SSN>"
    assert one(type="redact") == "SSN "
    assert one(type="keep") == "SSN 219-09-9999"
    salt = "0123456789abcdef"
    assert one(type="hash", salt=salt) == "SSN " + hashlib.sha256(f"219-09-9999{salt}".encode()).hexdigest()
    assert one(type="hash") != one(type="hash")
    assert one(type="hash", salt="short") == 422
    assert one(type="mask") == 422
    assert one(type="encrypt", key="WmZq4t7w!z%C&F)J") == 422
    assert len(one(type="surrogate")) == len("SSN 219-09-9999")
    assert "219-09" not in one(type="surrogate")


def test_surrogates_follow_the_policy(client, rules_file, key):
    results = [entity(4, 15, "US_SSN"), entity(22, 34, "PHONE_NUMBER"), entity(47, 61, "EMAIL_ADDRESS")]
    anonymizers = {"DEFAULT": {"type": "surrogate"}, "PHONE_NUMBER": {"type": "redact"}}
    made = post(client, "/anonymize", text=TEXT, analyzer_results=results, anonymizers=anonymizers).json()
    for secret in ("219-09", "617-555", "zq@"):
        assert secret not in made["text"]
    for item in made["items"]:
        assert made["text"][item["start"] : item["end"]] == item["text"]
    assert [item["operator"] for item in made["items"]] == ["surrogate", "redact", "surrogate"]
    assert made["text"].startswith("SSN ")
    assert ", call  or write to " in made["text"]


@pytest.mark.parametrize(
    "result", [entity(5, 5, "A"), entity(0, 999, "A"), entity(-1, 3, "A"), entity(0, 3, "")]
)
def test_results_that_do_not_fit_are_refused(client, result):
    assert post(client, "/anonymize", text=TEXT, analyzer_results=[result]).status_code == 422


def test_what_the_services_list(client):
    assert client.get("/health").text == "Presidio Analyzer service is up"
    assert client.get("/recognizers").json() == ["PlainsightRecognizer"]
    assert client.get("/supportedentities", params={"language": "de"}).status_code == 422
    assert "surrogate" in client.get("/anonymizers").json()
    assert {"PERSON", "DATE_TIME", "US_SSN"} <= {*client.get("/supportedentities").json()}
    assert plainsight.__version__ in client.get("/v1/health").text
