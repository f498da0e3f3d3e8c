"""A system for ``plainsight compare``: marks every numeric date, and nothing else."""

import json
import re
import sys

for line in sys.stdin:
    note = json.loads(line)
    dates = re.finditer(r"\b\d{1,2}/\d{1,2}/\d{2,4}\b", note["text"])
    spans = [{"start": date.start(), "end": date.end(), "label": "DATE"} for date in dates]
    print(json.dumps({"id": note["id"], "spans": spans}))
