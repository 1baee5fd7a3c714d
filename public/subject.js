// What a <visual-degrees> shows: which run, or which file, of which server.

/**
 * `{server, run}`, `{server, file, chain}` or, where nothing is named yet, `{server}`. `src` is the address
 * of a run, of a published chain, of a sealed file or of a deployment, as it stands in a document at
 * `here`; without one the deployment is that of the module, `home`.
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

/** A part of a path; as it stands where it is written wrongly. */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
