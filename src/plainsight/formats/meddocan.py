"""MEDDOCAN XML: the layout of i2b2-2014 with Spanish types, one file per note.

Types are read and written verbatim (``NOMBRE_SUJETO_ASISTENCIA``). Ids and comments of marks are not kept;
marks are numbered by their place.
"""

from __future__ import annotations

from typing import ClassVar

from plainsight.formats.standoff_xml import Layout, StandoffXml
from plainsight.labels import CATEGORY_OF

_TYPES = {
    "NAME": ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"),
    "PROFESSION": ("PROFESION",),
    "LOCATION": ("CALLE", "TERRITORIO", "PAIS", "HOSPITAL", "INSTITUCION", "CENTRO_SALUD"),
    "AGE": ("EDAD_SUJETO_ASISTENCIA",),
    "DATE": ("FECHAS",),
    "CONTACT": ("CORREO_ELECTRONICO", "NUMERO_TELEFONO", "NUMERO_FAX", "URL_WEB", "DIREC_PROT_INTERNET"),
    "ID": (
        "ID_SUJETO_ASISTENCIA",
        "ID_CONTACTO_ASISTENCIAL",
        "ID_ASEGURAMIENTO",
        "ID_TITULACION_PERSONAL_SANITARIO",
        "ID_EMPLEO_PERSONAL_SANITARIO",
        "IDENTIF_VEHICULOS_NRSERIE_PLACAS",
        "IDENTIF_DISPOSITIVOS_NRSERIE",
        "IDENTIF_BIOMETRICOS",
        "NUMERO_BENEF_PLAN_SALUD",
        "OTRO_NUMERO_IDENTIF",
    ),
    "OTHER": ("SEXO_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA"),
}


class Meddocan(StandoffXml):
    """Read and write MEDDOCAN XML."""

    name: ClassVar[str] = "meddocan"
    layout: ClassVar[Layout] = Layout(
        root="MEDDOCAN",
        categories={
            **CATEGORY_OF,
            **{label: category for category, labels in _TYPES.items() for label in labels},
        },
        prefix="T",
        first=1,
        declaration="<?xml version='1.0' encoding='UTF-8'?>",
        indent="  ",
        close="/>",
    )
