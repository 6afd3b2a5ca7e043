#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    """Run a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError, OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # A sentence for whoever runs the site; where in the code it was found helps nobody.
        sys.exit(f"The site cannot start: {error}")
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
    except DatabaseError as error:
        # That it is out of reach, closed or full; their other kinds are mistakes of ours.
        if type(error) not in {DatabaseError, OperationalError} or "--traceback" in sys.argv:
            raise
        sys.exit(f"The database cannot be used: {error}")


if __name__ == "__main__":
    main()
