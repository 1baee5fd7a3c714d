// What an item of Wikidata says about a person.
// Source: doc.wikimedia.org `Wikibase/JSON`.
import { LANGUAGES } from './wikimedia.mjs';

const INSTANCE_OF = 'P31';
const HUMAN = 'Q5';
const IMAGE = 'P18';

/** Returns whether the item is a human. */
export function isHuman(item) {
  return valuesOf(item, INSTANCE_OF).some(({ id }) => id === HUMAN);
}

/** Returns the item's name in the first of the languages that has one, or its number. */
export function nameOf(item) {
  const labels = LANGUAGES.map((language) => item.labels?.[language]?.value?.trim());
  return labels.find(Boolean) ?? item.id;
}

/** Returns the title of the human's portrait on Commons, `File:...`, the preferred one if there is one; null if none. */
export function portraitFile(item) {
  const [name] = valuesOf(item, IMAGE);
  return typeof name === 'string' ? `File:${name.replaceAll('_', ' ')}` : null;
}

/** Returns whether an item has this folded name as label or alias; `fold` folds others to compare them. */
export function isNamed(item, name, fold) {
  const labels = LANGUAGES.map((language) => item.labels?.[language]);
  const aliases = LANGUAGES.flatMap((language) => item.aliases?.[language] ?? []);
  return [...labels, ...aliases].some((one) => one && fold(one.value) === name);
}

/** Returns the values of a property, those of the best rank alone. */
function valuesOf(item, property) {
  const claims = item.claims?.[property] ?? [];
  const best = claims.some(({ rank }) => rank === 'preferred') ? 'preferred' : 'normal';
  return claims.flatMap(({ rank, mainsnak }) => (rank === best ? mainsnak?.datavalue?.value ?? [] : []));
}
