// A morph that refreshes a page keeps the text of fields and the open state of elements, which only
// the browser knows.
const TYPED = "input:not([type=hidden], [readonly])";

if (window.Idiomorph) {
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
    name !== "open" && !(["value", "checked"].includes(name) && node.matches(TYPED));
}
