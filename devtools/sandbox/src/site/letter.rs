//! A letter that is written in a shadow tree and stamped in a frame: `/site/letter/`. What automata meet on many sites is
//! here on one page: a closed shadow tree, a frame with an open one in it, and a button that is disabled until both are done.

use crate::providers::Reply;

const LETTER: &str = r#"<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>A letter</title>
<h1>A letter</h1>
<letter-form></letter-form>
<iframe id="stamp" src="stamp" title="Stamps" width="300" height="90"></iframe>
<p role="status" id="status"></p>
<script>
customElements.define('letter-form', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'closed' });
    root.innerHTML = `<form><p><label>To <input name="to" required></label></p>
      <p><label>What to say <textarea name="words" required></textarea></label></p>
      <button disabled>Send it</button></form>`;
    const form = root.querySelector('form');
    addEventListener('message', ({ data, source }) => {
      const frame = document.getElementById('stamp').contentWindow;
      if (source === frame && data === 'stamped') form.querySelector('button').disabled = false;
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      document.getElementById('status').textContent = `The letter to ${form.elements.to.value} is sent.`;
    });
  }
});
</script>
</html>
"#;
const STAMP: &str = r#"<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Stamps</title>
<stamp-box></stamp-box>
<script>
customElements.define('stamp-box', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<button>Put a stamp on it</button>';
    root.querySelector('button').addEventListener('click', () => {
      root.querySelector('button').textContent = 'Stamped';
      parent.postMessage('stamped', location.origin);
    });
  }
});
</script>
</html>
"#;

/// Returns the page with this path below that of the letter; `None` if there is none.
pub(super) fn page(path: &str) -> Option<Reply> {
    match path {
        "" => Some(Reply::html(200, LETTER)),
        "stamp" => Some(Reply::html(200, STAMP)),
        _ => None,
    }
}
