// Hides the form before the first paint if the address is a run's, since it would be folded away at once. Shows it
// again if the page's script fails to load or takes too long.
const { classList } = document.documentElement;
if (location.pathname !== '/') classList.add('arriving');
addEventListener('error', () => classList.remove('arriving'), true);
setTimeout(() => classList.remove('arriving'), 8_000);
