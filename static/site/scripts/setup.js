// Fields of a new game that have an effect only with one value of another field are shown only then.
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
