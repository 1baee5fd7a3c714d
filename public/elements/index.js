// Registers every element of the page; the classes themselves register nothing, so that another
// page may take one under a name of its own.

import { Chain } from './vd-chain.js';
import { Evidence } from './vd-evidence.js';
import { Form } from './vd-form.js';
import { Human } from './vd-human.js';
import { Offer } from './vd-offer.js';
import { Outcome } from './vd-outcome.js';
import { Person } from './vd-person.js';
import { Photo } from './vd-photo.js';
import { Portrait } from './vd-portrait.js';
import { Result } from './vd-result.js';
import { Spend } from './vd-spend.js';
import { Status } from './vd-status.js';

const ELEMENTS = {
  'vd-photo': Photo,
  'vd-portrait': Portrait,
  // Before the form, which uses them.
  'vd-person': Person,
  'vd-human': Human,
  'vd-form': Form,
  'vd-status': Status,
  'vd-chain': Chain,
  'vd-evidence': Evidence,
  'vd-spend': Spend,
  'vd-offer': Offer,
  'vd-outcome': Outcome,
  'vd-result': Result,
};

for (const [name, element] of Object.entries(ELEMENTS)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
