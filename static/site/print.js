// The button that prints a page, which only a script can do.
const button = document.getElementById("print");
button.hidden = false;
button.addEventListener("click", () => print());
