// Installs what src/mcp is tested against: the protocol's conformance suite, and third-party servers. `npm start` needs
// none of these, so they have a package-lock.json of their own.
import { join } from 'node:path';
import { ensurePackagesOf } from './packages.mjs';
import { root } from './places.mjs';

/** Installs these packages unless they are installed from the current package-lock.json. */
export const ensureMcpPackages = () =>
  ensurePackagesOf({ folder: join(root, 'tests', 'mcp'), title: 'the packages of the MCP tests', size: '80 MB' });
