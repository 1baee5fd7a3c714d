// What the page has tried to use of that which is taken away from it, as the script in its own world announces it.
const TAKEN = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'SharedWorker', 'ServiceWorker', 'WebSocket'];
let tried = new Set();
for (const name of TAKEN) {
  addEventListener(`${CHANNEL}!${name}`, (event) => {
    event.stopImmediatePropagation();
    tried.add(name);
  }, { capture: true });
}
const takeTried = () => {
  const names = [...tried];
  tried = new Set();
  return names;
};
