// The line on somebody who seeks an opponent, which a stream or a poll renews. Closing it needs no new
// page.
const line = () => document.getElementById("someone");
const seeker = (html) => html.match(/data-of="[^"]*"/)?.[0] ?? "";

// The same line is not read out again.
export const showSomeone = ({ data }) => {
  if (line() && seeker(line().innerHTML) !== seeker(data)) line().innerHTML = data;
};

export const kindOfLine = () => line()?.dataset.kind;

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.id !== "seek" || submitter?.name !== "quiet") return;
  event.preventDefault();
  fetch(target.action, { method: "POST", body: new FormData(target, submitter) });
  line().remove();
  document.getElementById("main").focus();
});
