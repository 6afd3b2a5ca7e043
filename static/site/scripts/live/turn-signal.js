// The signs of one's turn: a dot on the icon, and a sound if the settings ask for it.
import { board } from "../board/elements.js";

const icon = document.getElementById("icon");
const plainIcon = icon.href;

const markIcon = () => {
  const href = board().classList.contains("my-turn") ? icon.dataset.turn : plainIcon;
  if (icon.getAttribute("href") !== href) icon.href = href;
};

const playSound = () => {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const start = audio.currentTime;
  tone.frequency.setValueAtTime(520, start);
  tone.frequency.setValueAtTime(700, start + 0.12);
  volume.gain.setValueAtTime(0.15, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(start + 0.5);
};

document.addEventListener("htmx:afterSettle", markIcon);
document.addEventListener("my-turn", () => {
  if (document.documentElement.dataset.sound) playSound();
});
markIcon();
