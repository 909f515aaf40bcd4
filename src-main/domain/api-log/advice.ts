// The advice that the polling doctor gives on a client, written for the developer of the client.

/** The problem that the advice is about, present or expected. */
type AdviceKind =
  | 'over-limit'
  | 'near-limit'
  | 'finished-run'
  | 'early-output'
  | 'scenario'
  | 'key-place'
  | 'key-missing'
  | 'key-unknown'
  | 'key-scope'
  | 'untrusted'
  | 'guard'
  | 'workflow-unknown'
  | 'run-unknown'
  | 'path-unknown'
  | 'method-wrong';

export type Advice = {
  /** The same as long as the same client does the same thing. */
  readonly id: string;
  readonly kind: AdviceKind;
  /** false: nothing was refused yet. */
  readonly isRefused: boolean;
  /** Short name of the client, as `clientName` returns it. */
  readonly client: string;
  readonly title: string;
  readonly text: string;
  /** Calls that it is about. */
  readonly calls: number;
  /** The newest of them, and when it came. */
  readonly lastNumber: number;
  readonly lastAt: number;
  /** A pause after each answer with which no limit is broken. */
  readonly safeMs?: number;
  /** For the line to copy. */
  readonly workflowId?: string;
  readonly runId?: string;
};

/** Advice ends if nothing of its kind happened for this long; advice on answers of 429 stays while these are listed. */
export const adviceLifeMs = 5 * 60_000;

/** `2.0 s`, `12 s`: as it was measured. */
export const measured = (ms: number): string =>
  ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;

/** `2 s`, `1.2 s`, `10 s`: as it is advised. */
export const advised = (ms: number): string => `${Number((ms / 1000).toFixed(1))} s`;

/** Short name of a client, for people: the first product of its `User-Agent`. */
export function clientName(userAgent: string): string {
  if (/^Mozilla\//.test(userAgent)) return 'a browser';
  const [name = ''] = userAgent.split(/[\s/;(]/, 1);
  return name === '' ? 'a program without a name' : name.slice(0, 40);
}
