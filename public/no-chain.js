// Why a search ended without a chain: a heading, and one paragraph with what the heading leaves open (counts, and what
// to do). The server gives the reason in sentences (the search's states `s7_failure` and `s7_unread`); those that
// repeat the heading are left out. Unknown sentences are shown as they are, below the server's message.

import { NUMBERS, pair } from './pair.js';
import { count } from './words.js';

/** A sentence that accompanies many reasons: there is a chain, but it is too long. */
const LONGER = /A chain of (\d+) hops? is verified, over the limit\./u;

/**
 * A used up budget: its name, the server's sentence with the limit, how the limit is written, and the option that
 * raises it, with its button's words.
 */
const usedUp = (what, sentence, written, option) => ({
  option,
  plain: () => `${what} ran out before there was a chain.`,
  said: [
    [
      sentence,
      ([, most], rest) => ({
        heading: LONGER.test(rest) ? `${what} ran out.` : `${what} ran out before there was a chain.`,
        body: `The limit was ${written(most)}; a larger one may find a connection.${rest}`,
      }),
    ],
  ],
});

/**
 * For each reason: the option that affects it; `plain(state)`, the heading if the server gives no sentence; and in
 * `said` its possible sentences, each with a function of the match and the sentences after it.
 */
const ENDS = {
  hop_limit: {
    option: ['hops', 'Allow more links'],
    plain: () => 'No way that was found is short enough.',
    said: [
      [
        /^.* are connected by verified photos, but the shortest chain found has (\d+) hops?; (\d+) are allowed\./su,
        ([, hops, most]) => ({
          heading: 'They are connected, but only by a longer chain.',
          body: `The shortest one that was found has ${count(+hops, 'hop')}; the limit was ${most}.`,
          tellsHops: true,
        }),
      ],
      [
        /^Every way on that was found would need more than (\d+) hops?\./u,
        ([, most]) => ({ heading: `Every way on would need more than ${count(+most, 'hop')}.`, body: '' }),
      ],
    ],
  },
  search_budget: usedUp(
    'The searches',
    /^The budget of searches \((\d+)\) is used up\. A larger one may find a connection\./u,
    (most) => count(+most, 'search', 'searches'),
    ['searches', 'Allow more searches'],
  ),
  recognition_budget: usedUp(
    'The photos to look at',
    /^The budget of recognitions \((\d+)\) is used up\. A larger one may find a connection\./u,
    (most) => count(+most, 'photo'),
    ['recognitions', 'Allow more photos'],
  ),
  usd_budget: usedUp(
    'The money',
    /^The budget of (\$[\d.]+) is used up\. A larger one may find a connection\./u,
    (most) => most,
    ['budgetUsd', 'Allow more dollars'],
  ),
  runtime_budget: usedUp(
    'The time',
    /^The run's time \((\d+) s\) is over\. More time may find a connection\./u,
    (most) => `${most} s`,
    ['runtimeMs', 'Allow more time'],
  ),
  no_candidates: {
    option: ['threshold', 'Accept less sure matches'],
    plain: () => 'Nobody was left to try.',
    said: [
      [
        /^(The recogniser takes .* for one person); no chain joins a person to themselves\./su,
        ([, taken], rest) => ({
          heading: `${taken}.`,
          body: `No chain joins a person to themselves.${rest}`,
          isHopeless: true,
        }),
      ],
      [
        /^(Everybody who was recognised beside .* has been tried), and nobody is left\./su,
        ([, tried], rest) => ({ heading: `${tried}.`, body: rest }),
      ],
    ],
  },
  unknown_person: {
    plain: unrecognised,
    said: [
      [
        /^(?:Three searches|The photos that were looked at) did not show .* once\. (?=Check the spelling|Somebody of that name)/su,
        (match, rest, state) => ({ heading: unrecognised(state), body: rest }),
      ],
    ],
  },
  no_readable_photos: {
    plain: () => 'There was no photo to recognise them in.',
    said: [
      [
        /^(No image search gave an answer that could be read); later it may\./u,
        ([, none], rest) => ({ heading: `${none}.`, body: `The same search may work later.${rest}` }),
      ],
      [/^(\d+ search(?:es)? found no photo at all\.) /u, ([, none], rest) => ({ heading: none, body: rest })],
      [
        /^(No search found a photo of .*\.) (?=Check the spelling\.)/su,
        ([, none], rest) => ({ heading: none, body: rest }),
      ],
      [
        /^(No photo that was found for .* (?:could be|was) looked at\.) ?(?=In all, |$)/su,
        ([, none], rest) => ({ heading: none, body: rest }),
      ],
      [
        /^(\d+ search(?:es)? found \d+ photos?), and none( that was tried)? could be looked at: /u,
        ([, found, tried], rest) => ({
          heading: 'No photo could be looked at.',
          body: `${found}${tried ? '. Of those that were tried, ' : '; '}${rest}`,
        }),
      ],
    ],
  },
  stopped: {
    plain: stopped,
    said: [
      [
        /^The run was stopped before a connection was found\./u,
        (match, rest, state) => ({ heading: stopped(state), body: rest }),
      ],
    ],
  },
};

/**
 * `{kicker, heading, body, hops, option, offer}`: `body` is "" if the heading says all, `hops` is how far the search
 * got, or 0 if the words already say so; `option` may be missing.
 */
export function noChain(state) {
  const { reason, hopsReached, kept, finished } = state.outcome;
  const end = Object.hasOwn(ENDS, reason) ? ENDS[reason] : null;
  const { heading, body = '', tellsHops = false, isHopeless = false } = words(state, end);
  const [option, offer] = (!isHopeless && end?.option) || [];
  return {
    kicker: kept && !finished ? 'Kept record' : 'No chain',
    heading,
    body: body.trim().replace(LONGER, 'A verified chain was found, but it is too long: $1 hops.'),
    hops: tellsHops || LONGER.test(body) ? 0 : (hopsReached ?? 0),
    option,
    offer,
  };
}

function words(state, end) {
  const { explanation } = state.outcome;
  if (end && !explanation) return { heading: end.plain(state) };
  for (const [sentence, retold] of end?.said ?? []) {
    const match = sentence.exec(explanation);
    const told = match && retold(match, explanation.slice(match[0].length), state);
    // If a name that the heading needs is missing, `told` has no heading, and the server's message is used.
    if (told?.heading) return told;
  }
  return asTold(state);
}

/** Shows the server's message as the heading, with the reason below it unless that only repeats the message. */
function asTold({ outcome: { message, explanation, kept, finished } }) {
  const heading = message || explanation;
  if (heading) return { heading, body: explanation === heading ? '' : explanation };
  return {
    heading: kept && !finished
      ? 'This run’s events are gone; this is what was kept of it.'
      : 'No verified visual connection was found.',
  };
}

function stopped({ isOwn }) {
  return isOwn ? 'You stopped the search.' : 'The search was stopped.';
}

/**
 * The unrecognised name with its Wikidata number, if given, since another person with that name may have been
 * recognised.
 */
function unrecognised(state) {
  const typed = pair(state);
  const names = state.outcome.unknown.map((side) => {
    const [name, number] = [typed[side], typed[NUMBERS[side]]];
    return name && number ? `${name} (${number})` : name;
  });
  const [one, other] = names.filter(Boolean);
  if (other) return `Neither ${one} nor ${other} was recognised.`;
  if (one) return `${one} was not recognised.`;
  return state.outcome.explanation ? '' : 'A name was not recognised.';
}
