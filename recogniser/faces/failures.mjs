// Why the faces of a photo are not described.

/** The photo is no JPEG, PNG or WebP, is broken, too large or too narrow. */
export class UnreadablePhoto extends Error {}

/** The photo cannot be described now: too many wait, it takes too long, or the service ends. */
export class Busy extends Error {}
