"""Django itself, synchronous: what `boardsite.asgi` calls for everything but streams."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")

application = get_wsgi_application()
