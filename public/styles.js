// The styles of <visual-degrees>, created once for all elements in a document. They are part of the module and not
// linked. So the element does not flicker when it is moved, and a page with a strict policy needs no exception for
// styles.

import base from './base.css' with { type: 'text' };
import chain from './chain.css' with { type: 'text' };
import evidence from './evidence.css' with { type: 'text' };
import graph from './graph.css' with { type: 'text' };
import view from './visual-degrees.css' with { type: 'text' };

let sheets = null;

export function styles() {
  sheets ??= [base, view, chain, evidence, graph].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return sheets;
}
