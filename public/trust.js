// What a file that is shown is worth to its reader, by what a check in their own browser came to. Pure.

/**
 * `told`: no file, the server tells it. `checking`: nobody knows yet. `proven`: it is what it says. `forged`: it is
 * not. `unchecked`: no check can be made here, so it is neither.
 */
export function trustOf({ isFile, verification, chain = '' }) {
  if (!isFile) return 'told';
  switch (verification?.kind) {
    case 'checked':
      return verification.isSame && !isOther(verification, chain) ? 'proven' : 'forged';
    case 'refused':
      return 'forged';
    case 'unavailable':
      return 'unchecked';
    default:
      return 'checking';
  }
}

/** Whether nothing of a file is shown but what its check comes to: nobody shall take it for proven. */
export const isWithheld = (state) => ['checking', 'forged'].includes(trustOf(state));

/** A chain stands at the address that its own digest makes. */
const isOther = ({ digest }, chain) => chain !== '' && !chain.endsWith(`/${digest}`);

/** What a reader is told first of a file that is not what it says. */
export const forgedWords = ({ chain = '' }) => (chain
  ? 'This is not the chain that was published here: do not believe it.'
  : 'This file is not what a search has found: do not believe it.');

/** The sentence for a workflow's run that is forged. */
export const FORGED_RUN = 'This file is not what a run has told: do not believe it.';

/** Why no check can be made, as the end of a sentence. */
const UNCHECKED = {
  elsewhere: 'a chain is checked on the page of its own server only',
  missing: 'what checks it could not be loaded. Without a connection it is not there; after a first start of the server '
    + 'it takes some minutes to be built',
  unable: 'this browser runs no WebAssembly',
  large: 'it is too large to be checked in a browser',
  older: 'it is of an older kind of run that is no longer executed',
};

export const uncheckedWords = ({ why }) =>
  `This could not be checked here, because ${UNCHECKED[why] ?? UNCHECKED.missing}. So it is neither proven nor refuted.`;

/** What a check found of a forged file, in a sentence. */
export function whyForged({ verification: { kind, isSame, says } }) {
  if (kind === 'refused' || !isSame) return firstSentence(says);
  return 'The file is whole, but it is another one: its digest does not make this address.';
}

/** What a page around is told when a check has ended: `{trust, message}`, and `why` where none could be made. */
export function verificationOf(state) {
  const { verification } = state;
  const trust = trustOf(state);
  switch (trust) {
    case 'proven':
      return { trust, message: firstSentence(verification.says) };
    case 'forged':
      return { trust, message: `${forgedWords(state)} ${whyForged(state)}` };
    default:
      return { trust, message: uncheckedWords(verification), why: verification.why };
  }
}

/** What a server would say of its own key is of no use to a reader. */
const firstSentence = (says) => says.split(/(?<=\.) (?=Whether|This server|It was)/)[0];
