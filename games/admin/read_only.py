"""The base of the admin's pages: rows that only the services write, in lists without counts."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.utils.text import capfirst

from games.admin.keyset import KeysetChangeList


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Rows that only the services write."""

    found_by: ClassVar[frozenset[str]]
    """Indexed fields by which the query string may filter a list. Django would allow every field,
    and filtering by the first characters of a hidden value reveals it in a few requests."""

    ordering: ClassVar[tuple[str, ...]] = ("-created",)
    sortable_by: ClassVar[tuple[str, ...]] = ("created",)
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    change_list_template = "admin/games/change_list.html"

    class Media:
        css: ClassVar[dict[str, tuple[str, ...]]] = {"all": ("site/admin.css",)}

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[KeysetChangeList]:
        return KeysetChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        field = lookup.partition(LOOKUP_SEP)[0]
        return field in self.found_by and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
