// The atlas's own sentences.

import { count, dollars } from '../words.js';

export const SITE = 'Atlas · Visual Degrees';

/** How large it is, and what it saved, in one line. */
export function sizeWords({ people, pairs, photos, recognitions, usd }) {
  const size = `${much(people, 'person', 'people')}, ${much(pairs, 'line')}, ${much(photos, 'photo')}.`;
  if (recognitions === 0) return size;
  const were = recognitions === 1 ? 'was' : 'were';
  return `${size} ${much(recognitions, 'recognition')} ${were} not bought again: ${dollars(usd)} saved.`;
}

/** In how many photos somebody or two were seen. */
export const photosWords = (photos) => much(photos, 'photo');

/** What the page is called in a tab. */
export function titleOf(shown) {
  const { page, person, chain } = shown;
  if (page === 'person' && person) return `${person.name} · ${SITE}`;
  if (page === 'path' && chain) return `${chain.a.name} to ${chain.b.name} · ${SITE}`;
  return SITE;
}

/** Why no chain is shown. */
export const noChainWords = ({ isWhole }) =>
  isWhole
    ? 'No chain between the two is known here.'
    : 'No chain between the two was found here; there is more than was looked at.';

/** Large numbers with commas. */
const much = (number, one, many) =>
  count(number, one, many).replace(/^\d+/, (digits) => Number(digits).toLocaleString('en'));
