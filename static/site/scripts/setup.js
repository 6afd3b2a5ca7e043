// Shows a field of a new game that depends on the value of another field only with that value.
const form = document.querySelector(".setup-form");

const showFields = () => {
  const values = new FormData(form);
  for (const field of form.querySelectorAll("[data-with]")) {
    const [name, value] = field.dataset.with.split("=");
    field.toggleAttribute("data-shown", values.get(name) === value);
  }
};

form.addEventListener("change", showFields);
addEventListener("pageshow", showFields);
showFields();
