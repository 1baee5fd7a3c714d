// The types of the module visual-degrees.js and of what its events tell. docs/api.md says what each member
// of an event means; members may be added.

/** Somebody whom the recogniser knows. */
export interface Person {
  id: string;
  name: string;
}

/** A recognised face; its box is in fractions of the photo. */
export interface Face extends Person {
  confidence: number;
  box?: { left: number; top: number; width: number; height: number };
  /** The portrait that the face was compared with, where the recogniser tells it. */
  portrait?: Portrait;
}

/** A portrait with its credit; the digest is that of the compared bytes. */
export interface Portrait {
  imageUrl: string;
  contextUrl?: string;
  sha256: string;
  /** The face, in fractions of the portrait. */
  box?: { left: number; top: number; width: number; height: number };
  author?: string;
  license?: string;
  licenseUrl?: string;
}

/** A photo in which both people of a link were recognised. */
export interface Evidence {
  ref: string;
  imageUrl: string;
  thumbnailUrl?: string;
  contextUrl?: string;
  title?: string;
  author?: string;
  license?: string;
  licenseUrl?: string;
  isThumbnail?: boolean;
  /** Who recognised the faces, and the model with its version where the recogniser tells them. */
  recognisedBy?: { recogniser: string; model?: string };
  /** Why the photo is doubtful, as the end of a sentence. */
  doubt?: string;
  /** When the photo was taken, and who says so. */
  taken?: { date: string; source: 'camera' | 'caption' | 'provider' };
  /** How the photo was made, as its file claims. */
  making?: string;
  imageScore: number;
  faces: Face[];
}

/** A link between two people; its confidence is in percent. */
export interface Edge {
  from: string;
  to: string;
  fromName: string;
  toName: string;
  edgeConfidence: number;
  evidence: Evidence[];
  /** The picture of the page that shows the photo `ref`, as it was then; no proof. */
  capture?: { ref: string; sha256: string; at: string };
}

interface RunEvent {
  runId: string;
  timestamp: string;
}

export interface StatusEvent extends RunEvent {
  type: 'status';
  state: 'S0' | 'S1' | 'S2' | 'S3' | 'S4' | 'S5' | 'S6' | 'S7';
  message: string;
  hop: number;
  frontier?: Person;
  side?: 'a' | 'b';
  guess?: string;
}

export interface EvidenceEvent extends RunEvent {
  type: 'evidence';
  edge: Edge;
}

export interface PathEvent extends RunEvent {
  type: 'path_update';
  path: Person[];
  hop: number;
}

/** What came of opening the page that shows some photos of the chain: its picture, or why there is none. */
export interface PageCaptureEvent extends RunEvent {
  type: 'page_capture';
  evidenceRefs: string[];
  url?: string;
  sha256?: string;
  at?: string;
  mediaType?: string;
  width?: number;
  height?: number;
  message?: string;
}

export interface FinalEvent extends RunEvent {
  type: 'final';
  path: Person[];
  edges: Edge[];
  confidenceMap: { edges: Record<string, number>; bottleneck: number; cumulative: number };
  disclaimer: string;
}

export interface NoPathEvent extends RunEvent {
  type: 'no_path';
  reason:
    | 'hop_limit'
    | 'search_budget'
    | 'recognition_budget'
    | 'runtime_budget'
    | 'usd_budget'
    | 'no_candidates'
    | 'unknown_person'
    | 'no_readable_photos'
    | 'stopped';
  message: string;
  explanation: string;
  suggestions: string[];
}

/** The run's own last word. */
export interface ErrorEvent extends RunEvent {
  type: 'error';
  code: string;
  provider?: string;
  message: string;
  retryable: boolean;
}

/** What a check of a file or a published chain came to; told before the file's other events. */
export interface Verification {
  /** `forged`: it is not to be believed, and none of its other events is told. `unchecked`: it is neither. */
  trust: 'proven' | 'forged' | 'unchecked';
  /** Why, in words. */
  message: string;
  /**
   * Why no check could be made: the page is another deployment's, the browser runs no WebAssembly, what checks
   * could not be loaded, or the file is too large.
   */
  why?: 'elsewhere' | 'unable' | 'missing' | 'large';
}

/** A request that was refused, or (`status` 0) never answered. */
export interface Problem extends Error {
  status: number;
  field: string;
  retryAfter: number | null;
}

/** What `start` may be given instead of the attributes: the body of `POST /runs`. */
export interface Question {
  personA?: string;
  personB?: string;
  sessionId?: string;
  options?: Record<string, string | number | boolean | string[]>;
  fork?: { run: string; options?: Record<string, string | number | boolean | string[]> };
}

export interface VisualDegreesEventMap {
  'vd-status': CustomEvent<StatusEvent>;
  'vd-evidence': CustomEvent<EvidenceEvent>;
  'vd-path': CustomEvent<PathEvent>;
  'vd-page-capture': CustomEvent<PageCaptureEvent>;
  'vd-final': CustomEvent<FinalEvent>;
  'vd-no-path': CustomEvent<NoPathEvent>;
  'vd-error': CustomEvent<ErrorEvent | Problem>;
  'vd-verification': CustomEvent<Verification>;
}

/**
 * `<visual-degrees run="...">` follows a run, `<visual-degrees src="...">` shows the run, published chain or
 * sealed file at an address, `<visual-degrees a="..." b="...">` starts one when `start()` is called.
 *
 * Parts: `view`, `status`, `graph`, `newest`, `outcome`, `chain`, `verification`, `evidence`, `result`, `share`,
 * `actions`, `log`, `spend`, `large`.
 * Custom properties: `--vd-paper`, `--vd-card`, `--vd-ink`, `--vd-soft`, `--vd-rule`, `--vd-mark`,
 * `--vd-on-mark` (colours), `--vd-serif`, `--vd-sans` (font families).
 */
export class VisualDegrees extends HTMLElement {
  /** The run's token; setting it follows that run. */
  run: string | null;
  /** The address of what is shown. */
  src: string | null;
  /** The address where others see what is shown; "" where there is none. */
  readonly link: string;
  /** Starts a run; resolves to its token, and is rejected with a `Problem`. */
  start(question?: Question | null, how?: { key?: string; human?: string }): Promise<string>;
  /** Stops the run that was started here; rejected with a `Problem` where it is another's. */
  stop(): Promise<void>;
  /** Shows the text of a sealed file; resolves when it is checked, as far as it can be checked there. */
  showSealed(text: string): Promise<void>;

  addEventListener<Name extends keyof VisualDegreesEventMap>(
    name: Name,
    listener: (event: VisualDegreesEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'visual-degrees': VisualDegrees;
  }
}
