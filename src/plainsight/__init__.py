"""Find every identifier in clinical notes and hide patients in plain sight."""

from plainsight.document import Document, Patient, SetAside, Span

__all__ = ["Document", "Patient", "SetAside", "Span", "__version__"]

__version__ = "0.1.0"
