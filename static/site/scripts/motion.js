// Pieces that walk and stacks that grow are drawn so by a script that comes with the first of them.
const loadMotion = () => {
  if (document.querySelector("#board :is([data-piece], [data-stack])"))
    import(document.getElementById("net").dataset.motion);
};

document.addEventListener("board-drawn", loadMotion);
document.addEventListener("htmx:afterSettle", loadMotion);
loadMotion();
