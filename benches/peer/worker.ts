// What a careful program does with photos and nothing more: it fetches them, five at a time, and asks
// the recogniser who is in them. No search, no veto, no journal, no stream. It stands beside this
// project's Worker in `npm run bench:photo`, and is written for speed.
import { Buffer } from 'node:buffer';
import { AwsClient } from 'aws4fetch';

interface Settings {
  AWS_ACCESS_KEY_ID: string;
  AWS_SECRET_ACCESS_KEY: string;
  AWS_REGION: string;
  REKOGNITION_ENDPOINT: string;
}

interface Answer {
  CelebrityFaces: { Name: string; MatchConfidence: number }[];
}

const AT_ONCE = 5;
const BYTES_MAX = 5_242_880;
const LIMIT_MS = 15_000;

export default {
  async fetch(request: Request, settings: Settings): Promise<Response> {
    if (request.method !== 'POST') return Response.json({ status: 'ok' });
    const { photos } = (await request.json()) as { photos: string[] };
    const recogniser = new Recogniser(settings);
    const next = photos[Symbol.iterator]();
    const seen = new Set<string>();
    const names = new Set<string>();
    const work = async () => {
      for (const photo of next) {
        const bytes = await bytesOf(photo);
        const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
        if (seen.has(digest)) continue;
        seen.add(digest);
        for (const face of await recogniser.faces(bytes)) {
          if (face.MatchConfidence >= 80) names.add(face.Name);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return Response.json({ recognised: seen.size, names: names.size });
  },
};

async function bytesOf(address: string): Promise<ArrayBuffer> {
  const headers = { 'user-agent': 'photo-loop/1.0', accept: 'image/jpeg,image/png;q=0.9' };
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
  if (response.status !== 200) throw new Error(`${address}: HTTP ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength > BYTES_MAX) throw new Error(`${address}: ${bytes.byteLength} bytes`);
  return bytes;
}

class Recogniser {
  #client: AwsClient;
  #endpoint: string;

  constructor(settings: Settings) {
    this.#client = new AwsClient({
      accessKeyId: settings.AWS_ACCESS_KEY_ID,
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
      region: settings.AWS_REGION,
      service: 'rekognition',
      retries: 0,
    });
    this.#endpoint = `${settings.REKOGNITION_ENDPOINT}/`;
  }

  async faces(bytes: ArrayBuffer): Promise<Answer['CelebrityFaces']> {
    const response = await this.#client.fetch(this.#endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'RekognitionService.RecognizeCelebrities',
      },
      body: `{"Image":{"Bytes":"${Buffer.from(bytes).toString('base64')}"}}`,
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!response.ok) throw new Error(`recogniser: ${response.status} ${await response.text()}`);
    return ((await response.json()) as Answer).CelebrityFaces;
  }
}
