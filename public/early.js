// Runs before anything is drawn: at the address of a run no form is shown that would be folded away at once.
if (location.pathname !== '/') document.documentElement.classList.add('arriving');
