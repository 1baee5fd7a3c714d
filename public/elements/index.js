// Registers the parts of <visual-degrees>; the classes themselves register nothing. If a page loads two versions of the
// module, the first is kept.

import { Chain } from './vd-chain.js';
import { Evidence } from './vd-evidence.js';
import { Graph } from './vd-graph.js';
import { Log } from './vd-log.js';
import { Newest } from './vd-newest.js';
import { Outcome } from './vd-outcome.js';
import { Photo } from './vd-photo.js';
import { Portrait } from './vd-portrait.js';
import { Result } from './vd-result.js';
import { Share } from './vd-share.js';
import { Spend } from './vd-spend.js';
import { Status } from './vd-status.js';
import { Verification } from './vd-verification.js';
import { VisualDegrees } from './visual-degrees.js';

register({
  'vd-photo': Photo,
  'vd-portrait': Portrait,
  'vd-status': Status,
  'vd-log': Log,
  'vd-chain': Chain,
  'vd-graph': Graph,
  'vd-newest': Newest,
  'vd-evidence': Evidence,
  'vd-spend': Spend,
  'vd-outcome': Outcome,
  'vd-result': Result,
  'vd-share': Share,
  'vd-verification': Verification,
  // This element comes last, since it consists of the others.
  'visual-degrees': VisualDegrees,
});

export { VisualDegrees };

/** Defines these elements, except those that the page has already defined. */
export function register(elements) {
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
