// Names the networks, without loading them.
import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('@vladmandic/face-api/package.json');

/** What describes faces, as evidence names it: the library's version, and the version of what this program makes of it. */
export const MODEL = `face-api ${version}, descriptions 1`;
