"""The WSGI application: synchronous Django, to which `boardsite.asgi` passes all but streams."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")

application = get_wsgi_application()
