// Sounds are loaded once the settings ask for them, and then listen for themselves.
const loadSounds = () => {
  const { sound } = document.documentElement.dataset;
  if (sound) import(sound);
};

document.addEventListener("preferences", loadSounds);
loadSounds();
