// Loads the script for moving pieces and growing stacks with the first of them.
const loadMotion = () => {
  if (document.querySelector("#board :is([data-piece], [data-stack])"))
    import(document.getElementById("net").dataset.motion);
};

document.addEventListener("board-drawn", loadMotion);
document.addEventListener("htmx:afterSettle", loadMotion);
loadMotion();
