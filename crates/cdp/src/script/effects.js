// What a click or a drag changes: whether a page's script or the browser reacts to it in any way that can be seen from
// here.
let effects = 0;
let effectsBefore = 0;
let onEffect = null;
const noteEffect = () => {
  effects += 1;
  onEffect?.();
};
const EFFECTS = ['input', 'change', 'submit', 'reset', 'toggle', 'select', 'scroll', 'play', 'pause', 'volumechange',
  'fullscreenchange', 'popstate', 'hashchange', 'animationstart', 'transitionrun', 'close', 'cancel'];
for (const type of EFFECTS) addEventListener(type, noteEffect, { capture: true, passive: true });
// A field that gets the focus is an effect; a button that gets it is none.
addEventListener('focusin', (event) => {
  const [element] = event.composedPath();
  if (isElement(element) && (isEntry(element) || isEditable(element))) noteEffect();
}, { capture: true, passive: true });

const beginEffects = () => {
  effectsBefore = effects;
};
const hasEffect = () => effects !== effectsBefore;
const effectWithin = (ms) => new Promise((resolve) => {
  const end = () => {
    onEffect = null;
    resolve(hasEffect());
  };
  if (hasEffect()) return end();
  onEffect = end;
  setTimeout(end, ms);
});

// Elements whose changes cannot be seen from here: what they draw, and the lists that browsers open themselves.
const UNSEEN = 'canvas, embed, object, iframe, frame, video, audio, select, option, input:is([type="file"], [type="date"], ' +
  '[type="time"], [type="month"], [type="week"], [type="datetime-local"], [type="color"])';
const isUnseen = (element) => matches(element, UNSEEN) || everyIn(element, UNSEEN).length > 0;
