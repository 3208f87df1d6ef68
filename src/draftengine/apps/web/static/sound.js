// Sounds, made in the browser: nothing is loaded, and nothing is heard before the first touch.

import { remember, remembered } from "./dom.js";

/** Each sound: what sounds how high (hertz), when and for how long (seconds). */
const SOUNDS = {
  raise: [[520, 0, 0.04]], play: [[330, 0, 0.07], [494, 0.05, 0.09]], flip: [[392, 0, 0.06], [587, 0.06, 0.1]],
  pass: [[262, 0, 0.09]], tick: [[740, 0, 0.05]], say: [[659, 0, 0.06], [880, 0.05, 0.06]],
  win: [[523, 0, 0.14], [659, 0.13, 0.14], [784, 0.26, 0.14], [1047, 0.39, 0.35]],
};
const VOLUME = 0.06;
let touched = false, sounds = null;

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { touched = true; }, { once: true, capture: true });

export const soundOn = () => remembered("sound", true);
export const switchSound = (on) => { remember("sound", on); if (on) play("play"); };

/** Make a sound, and let a phone tremble where all cards turn over. */
export function play(name) {
  if (!touched || document.hidden || !soundOn() || !window.AudioContext) return;
  sounds ??= new AudioContext();
  for (const [height, from, length] of SOUNDS[name]) {
    const tone = sounds.createOscillator(), volume = sounds.createGain(), start = sounds.currentTime + from;
    tone.type = "triangle";
    tone.frequency.value = height;
    volume.gain.setValueAtTime(VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(sounds.destination);
    tone.start(start);
    tone.stop(start + length);
  }
  if (name === "flip") navigator.vibrate?.(10);
}
