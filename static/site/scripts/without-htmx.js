// Idiomorph comes with an extension for htmx, which is kept for a page that loads htmx later.
window.htmx ??= {
  defineExtension(...extension) {
    this.extension = extension;
  },
};
