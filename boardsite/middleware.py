"""Leaner versions of middleware, for fast answers to moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django_htmx import middleware

from games.api.problems import API, answer_program
from games.web.headers import brotli_page, content_policy, gzip

Handler = Callable[[HttpRequest], HttpResponse]
ADMIN = "/admin/"
SMALLEST = 200
"""Responses smaller than this many bytes are not compressed, as in `GZipMiddleware`."""


def security_policies(get_response: Handler) -> Handler:
    """Send the policies of the settings, unless a view has set its own. That of the content is
    composed once, since no page has a nonce."""
    policies = {
        "Content-Security-Policy": content_policy(),
        "Cross-Origin-Resource-Policy": settings.CROSS_ORIGIN_RESOURCE_POLICY,
        "Permissions-Policy": settings.PERMISSIONS_POLICY,
    }

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API):
            response = answer_program(request, get_response)
        else:
            response = get_response(request)
        for name, value in policies.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


class CompressionMiddleware(GZipMiddleware):
    """Compresses partials for htmx fast, and whole pages, which are sent once, well."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, compressed if the browser accepts that."""
        accepted = request.META.get("HTTP_ACCEPT_ENCODING", "")
        is_page = "HTTP_HX_REQUEST" not in request.META
        encoding, compress = ("br", brotli_page) if is_page else ("gzip", gzip)
        if not isinstance(response, HttpResponse) or (is_page and encoding not in accepted):
            return super().process_response(request, response)
        if len(response.content) < SMALLEST or response.has_header("Content-Encoding"):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if encoding in accepted:
            response.content = compress(response.content)
            response["Content-Length"] = str(len(response.content))
            response["Content-Encoding"] = encoding
            if response.get("ETag", "").startswith('"'):
                # RFC 9110, 8.8.1: the compressed answer is another representation.
                response["ETag"] = "W/" + response["ETag"]
        return response


class HtmxDetails(middleware.HtmxDetails):
    """Details of an htmx request. Testing whether it is one does not parse all headers."""

    def __bool__(self) -> bool:
        return self.request.META.get("HTTP_HX_REQUEST") == "true"


def htmx_details(get_response: Handler) -> Handler:
    def middleware(request: HttpRequest) -> HttpResponse:
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]  # see games.web.request
        return get_response(request)

    return middleware


def locale(get_response: Handler) -> Handler:
    """Activate the language of the request, as `LocaleMiddleware` does without `i18n_patterns`."""

    def middleware(request: HttpRequest) -> HttpResponse:
        language = translation.get_language_from_request(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware


class _AdminOnly(MiddlewareMixin):
    """Skips a middleware class outside the admin: only staff have sessions and messages."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Handle a request, through the wrapped middleware if it is for the admin."""
        if request.path_info.startswith(ADMIN):
            return super().__call__(request)
        return self.get_response(request)


class AdminSessionMiddleware(_AdminOnly, SessionMiddleware):
    """Sessions for the admin."""


class AdminAuthenticationMiddleware(_AdminOnly, AuthenticationMiddleware):
    """``request.user`` for the admin."""


class AdminMessageMiddleware(_AdminOnly, MessageMiddleware):
    """Messages for the admin."""
