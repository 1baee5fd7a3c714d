// The sentences that only the atlas's page uses.

import { count, dollars } from '../words.js';

export const SITE = 'Atlas · Visual Degrees';

/** The size of the atlas and what it saved, in one line. */
export function sizeWords({ people, pairs, photos, recognitions, usd }) {
  const size = `${much(people, 'person', 'people')}, ${much(pairs, 'line')}, ${much(photos, 'photo')}.`;
  if (recognitions === 0) return size;
  const were = recognitions === 1 ? 'was' : 'were';
  return `${size} ${much(recognitions, 'recognition')} ${were} not bought again: ${dollars(usd)} saved.`;
}

/** The number of photos in which one or two people were seen. */
export const photosWords = (photos) => much(photos, 'photo');

/** The page's title in a tab. */
export function titleOf(shown) {
  const { page, person, chain } = shown;
  if (page === 'person' && person) return `${person.name} · ${SITE}`;
  if (page === 'path' && chain) return `${chain.a.name} to ${chain.b.name} · ${SITE}`;
  return SITE;
}

/** The sentence that states why no chain is shown. */
export const noChainWords = ({ isWhole }) =>
  isWhole
    ? 'No chain between the two is known here.'
    : 'No chain between the two was found here; there is more than was looked at.';

/** A count in words, with commas in large numbers. */
const much = (number, one, many) =>
  count(number, one, many).replace(/^\d+/, (digits) => Number(digits).toLocaleString('en'));
