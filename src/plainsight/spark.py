"""De-identify a Spark data frame of notes.

::

    clean = plainsight.spark.deidentify(spark.read.parquet("notes"), key=key, text_column="NOTE_TEXT")
    clean.write.parquet("clean")

Only `mapInArrow` is used, never the Spark context or an RDD: the same call works on Spark 3.5 and 4, on Spark
Connect, and on managed services that are built on it. Every node needs plainsight, in the same version.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from plainsight.arrow import COUNTS, REASON, Key, Mapper
from plainsight.config import Policy
from plainsight.errors import UsageError
from plainsight.interop.packages import need
from plainsight.run.processes import LIMITS, Limits
from plainsight.run.spark import INSTALL

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def deidentify(
    frame: DataFrame,
    *,
    policy: str | Path | Policy = "balanced",
    key: Key = None,
    text_column: str | None = None,
    id_column: str | None = None,
    patient_column: str | None = None,
    record_column: str | None = None,
    together: Literal["patient"] | None = None,
    partitions: int | None = None,
    limits: Limits | None = LIMITS,
) -> DataFrame:
    """Return a data frame with the notes de-identified, one row for each row.

    It has the columns of text, id and patient, those that the policy keeps, and two more: ``identifiers``
    counts what was replaced by label, and ``set_aside`` says why a note could not be done. The text of such a
    note is null.

    Args:
        frame: The notes, one in a row. Spark does nothing yet: notes are done when the result is written, and
            again for each further action, so write it before you count.
        policy: A built-in policy's name, the path of a policy file, or a policy.
        key: The secret key, or a function that executors call to get it: see `Mapper`. A key goes to the
            executors inside the pickled function, and neither to Spark's settings nor to its logs. Without
            one, a random key is drawn for this call.
        text_column: The column with the note. This and the next two are found by their usual names.
        id_column: The column with the note's id.
        patient_column: The column with the patient's id. There may be none.
        record_column: A column with what is known about the patient, as JSON.
        together: ``"patient"`` brings the notes of a patient together in one partition, in the order of their
            ids, so that forms of a name are linked across all of them. This shuffles the notes. The default
            leaves partitions and order as they are: only consecutive notes of a patient are linked.
        partitions: How many partitions to make of them. Without it, Spark chooses.
        limits: What a note may use; a note beyond it is set aside. They need a further process beside each of
            Spark's; None does without, where a service does not allow it.
    """
    functions = need("pyspark.sql.functions", INSTALL)
    types = need("pyspark.sql.types", INSTALL)
    mapper = Mapper(
        policy=policy,
        key=key,
        text_column=text_column,
        id_column=id_column,
        patient_column=patient_column,
        record_column=record_column,
        limits=limits,
    )
    columns = mapper.columns(frame.columns)
    if not isinstance(frame.schema[columns.text].dataType, types.StringType):
        raise UsageError(f"column {columns.text!r} does not hold text")
    read = [frame[name] for name in (*columns.names, record_column) if name is not None]
    notes = frame.select(*read)
    count: list[Any] = [] if partitions is None else [partitions]
    if together == "patient":
        if columns.patient is None:
            raise UsageError('together="patient" needs the patients: give patient_column')
        patient, note = notes[columns.patient], notes[str(columns.id)]
        # notes without a patient go anywhere, or all of them would go to one partition
        place = functions.coalesce(patient.cast("string"), note.cast("string"))
        notes = notes.repartition(*count, place).sortWithinPartitions(patient, note)
    elif together is not None:
        raise UsageError('together is "patient" or None')
    elif partitions is not None:
        notes = notes.repartition(partitions)
    schema = types.StructType(
        [
            *(types.StructField(name, frame.schema[name].dataType) for name in columns.names),
            types.StructField(COUNTS, types.MapType(types.StringType(), types.LongType())),
            types.StructField(REASON, types.StringType()),
        ]
    )
    return notes.mapInArrow(mapper, schema)
