// Decides how far a shown file is trusted, from its check in the reader's own browser. Pure.

/**
 * `told`: from the server, not a file. `checking`: not known yet. `proven`: authentic. `forged`: not authentic.
 * `unchecked`: no check is possible here.
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

/** Whether nothing of a file may be shown except the check's result, so that the file is not taken for proven. */
export const isWithheld = (state) => ['checking', 'forged'].includes(trustOf(state));

/** Whether a file is not the one published at a chain's address, which is made from the file's digest. */
const isOther = ({ digest }, chain) => chain !== '' && !chain.endsWith(`/${digest}`);

/** The first sentence about a forged file. */
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

/** What the check of a forged file found, in a sentence. */
export function whyForged({ verification: { kind, isSame, says } }) {
  if (kind === 'refused' || !isSame) return firstSentence(says);
  return 'The file is whole, but it is another one: its digest does not make this address.';
}

/** The data of the event after a check: `{trust, message}`, and `why` if no check was possible. */
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

/** The first sentence of the check's words. The next one is about a server's own key, which does not help a reader. */
const firstSentence = (says) => says.split(/(?<=\.) (?=Whether|This server|It was)/)[0];
