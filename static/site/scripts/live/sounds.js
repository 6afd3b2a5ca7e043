// Loads the sounds once they are switched on; their script has listeners of its own.
const loadSounds = () => {
  const { sound } = document.documentElement.dataset;
  if (sound) import(sound);
};

document.addEventListener("preferences", loadSounds);
loadSounds();
