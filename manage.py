#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS


def main() -> None:
    """Run a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError, OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # An operator needs the sentence; the traceback adds nothing.
        sys.exit(f"The site cannot start: {error}")
    except KeyboardInterrupt:
        sys.exit("Interrupted.")
    except DatabaseError as error:
        # The database is out of reach, closed or full. Other subclasses are bugs of this project.
        if type(error) not in {DatabaseError, OperationalError} or "--traceback" in sys.argv:
            raise
        sys.exit(f"The database cannot be used: {error}")
    except OSError as error:
        # A disk that is full or cannot be written. Any other is a bug, or a broken machine.
        if error.errno not in {EACCES, EDQUOT, ENOSPC, EPERM, EROFS} or "--traceback" in sys.argv:
            raise
        sys.exit(
            f"The site cannot start: {error.filename or 'a file'} cannot be written "
            f"({error.strerror}). BOARDSITE_DATA names the data folder, which the site needs."
        )


if __name__ == "__main__":
    main()
