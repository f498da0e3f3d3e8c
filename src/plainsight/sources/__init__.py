"""Sources: places that hold notes beside structured fields. Each is a format; one file per source."""
