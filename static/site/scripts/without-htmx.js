// Idiomorph comes with its extension of htmx, which is kept for a page where htmx comes later.
window.htmx ??= {
  defineExtension(...extension) {
    this.extension = extension;
  },
};
