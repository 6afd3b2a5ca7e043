"""The WSGI application: synchronous Django, which answers everything but streams for
`boardsite.asgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")

application = get_wsgi_application()
