"""Settings of the site, by subject. Operators set environment variables (docs/hosting.md); an empty
one counts as unset."""

from boardsite.settings.base import *
from boardsite.settings.messages import *
from boardsite.settings.security import *
from boardsite.settings.templates import *
