"""``python -m plainsight`` is the command line."""

from plainsight.cli import main

main()
