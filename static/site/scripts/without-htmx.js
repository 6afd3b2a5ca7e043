// Idiomorph comes with its extension of htmx, which a page without htmx has no use for.
window.htmx ??= { defineExtension() {} };
