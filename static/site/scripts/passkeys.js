// Passkeys: the browser makes one or signs with one, then the form sends its answer to the site.
const form = document.getElementById("passkey");
const trouble = document.getElementById("passkey-trouble");
const REASONS = { InvalidStateError: "known", NotAllowedError: "cancelled" };
let busy = false;

const refuse = (sentence) => {
  trouble.textContent = sentence;
  trouble.hidden = false;
};

const ask = async () => {
  const body = new URLSearchParams(new FormData(form));
  return (await fetch(form.dataset.options, { method: "POST", body })).json();
};

const answer = (options) =>
  form.dataset.ceremony === "create"
    ? navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
    : navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      });

const perform = async () => {
  const options = await ask();
  if (options.refused) return refuse(options.refused);
  form.elements.credential.value = JSON.stringify(await answer(options));
  form.submit();
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (busy) return;
  busy = true;
  trouble.hidden = true;
  perform()
    .catch(({ name }) => refuse(trouble.dataset[REASONS[name] ?? "failed"]))
    .finally(() => {
      busy = false;
    });
});

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  form.hidden = false;
  form.closest(".card").hidden = false;
}
