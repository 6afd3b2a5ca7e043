"""Headers for browsers, passwords and cookies."""

from __future__ import annotations

from csp.constants import NONE, SELF

from boardsite.settings.base import ALLOWED_HOSTS, HTTPS, PORT

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
# Older password hashes of staff are upgraded when they log in.
PASSWORD_HASHERS = [
    "boardsite.passwords.Argon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "boardsite.passwords.NotBlankValidator"},
    {"NAME": "boardsite.passwords.NotNameValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        # Those of staff, and the name of an account.
        "OPTIONS": {"user_attributes": ("username", "first_name", "last_name", "email", "name")},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# Browsers ignore it without https, and log an error on each page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
# Other sites may show the pictures of links and nothing else, see `games.web.headers.for_anywhere`.
CROSS_ORIGIN_RESOURCE_POLICY = "same-origin"
# Features that no page needs. Passkeys, sharing, copying and full screen stay allowed to this site.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "autoplay",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "serial",
        "usb",
        "xr-spatial-tracking",
    )
)
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
PLAYER_COOKIE = "player"
PREFERENCES_COOKIE = "preferences"
CHOICES_COOKIE = "choices"
if HTTPS:
    # The __Host- prefix makes browsers refuse these cookies from any other host.
    PLAYER_COOKIE = "__Host-player"
    PREFERENCES_COOKIE = "__Host-preferences"
    CHOICES_COOKIE = "__Host-choices"
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    # HSTS for this host alone: others of its domain may have no https.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    _port = "" if PORT == 443 else f":{PORT}"
    CSRF_TRUSTED_ORIGINS = [f"https://{host}{_port}" for host in ALLOWED_HOSTS]
# Only the admin has messages, and its users have a session, so no other cookie is needed.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600
