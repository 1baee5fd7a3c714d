// Runs before anything is drawn: at the address of a run no form is shown that would be folded away at once.
// Where the page's script does not come, there is nothing but the form.
const { classList } = document.documentElement;
if (location.pathname !== '/') classList.add('arriving');
addEventListener('error', () => classList.remove('arriving'), true);
setTimeout(() => classList.remove('arriving'), 8_000);
