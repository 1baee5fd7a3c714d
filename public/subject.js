// What a <visual-degrees> shows: a run or a file, and its server.

/**
 * `{server, run}`, `{server, file, chain}` or, if nothing is named yet, `{server}`. `src` is the address of a run, a
 * published chain, a sealed file or a deployment, relative to the document's address `here`; without `src`, the
 * deployment is that of the module, `home`.
 */
export function subjectOf({ run, src }, { here, home }) {
  const url = src ? parsed(src, here) : null;
  if (!url) return { server: home, run };
  const [, ofRun] = /^\/runs\/([^/]+)(?:\/(?:events|sealed))?\/?$/.exec(url.pathname) ?? [];
  if (ofRun) return { server: url.origin, run: decoded(ofRun) };
  if (url.pathname === '/') return { server: url.origin, run };
  const isChain = /^\/chains\/[0-9a-f]{64}\/?$/.test(url.pathname);
  if (!isChain) return { server: url.origin, file: url.href, chain: '' };
  const chain = url.origin + url.pathname.replace(/\/$/, '');
  return { server: url.origin, file: chain, chain };
}

function parsed(src, here) {
  try {
    const url = new URL(src, here);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** A decoded part of a path; unchanged if it is malformed. */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
