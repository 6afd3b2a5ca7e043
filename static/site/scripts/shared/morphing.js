// A morph that renews a page keeps the text of fields and the opened state of elements: both belong
// to the reader, and the server knows neither.
const TYPED = "input:not([type=hidden], [readonly])";

if (window.Idiomorph) {
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
    name !== "open" && !(["value", "checked"].includes(name) && node.matches(TYPED));
}
