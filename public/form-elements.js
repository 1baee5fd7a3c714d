// Registers the elements of the page around a run: the form and its parts.

import { register } from './elements/index.js';
import { Assistant } from './elements/vd-assistant.js';
import { Form } from './elements/vd-form.js';
import { Human } from './elements/vd-human.js';
import { Ideas } from './elements/vd-ideas.js';
import { Offer } from './elements/vd-offer.js';
import { Person } from './elements/vd-person.js';

register({
  // Before the form, which uses them.
  'vd-person': Person,
  'vd-human': Human,
  'vd-form': Form,
  'vd-offer': Offer,
  'vd-ideas': Ideas,
  'vd-assistant': Assistant,
});
