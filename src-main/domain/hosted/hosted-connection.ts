// Connections to hosted services: what `hosted.json` holds. The key is stored sealed, and its purpose names the connection,
// origin and header: with another origin it does not open.
import { z } from 'zod';
import type { LimitName } from '../limits/published-limits.ts';

export const connectionNamePattern = /^[a-z][a-z0-9-]{0,31}$/;
export const connectionNameForm = 'lower-case letters, digits and "-", 32 in all at most, a letter first';

/** Share of a key's limits that Rowbench uses, in percent, unless a connection says otherwise. */
export const defaultSharePercent = 50;

/** Fields by which outputs are matched to rows: both have the same value in a row and its output. */
export type MatchFields = { readonly output: string; readonly input: string };

const connectionSchema = z.object({
  name: z.string().regex(connectionNamePattern),
  /** Scheme, host and port, as `URL.origin` has it. */
  origin: z.string(),
  /** Header that carries the key, in lower case. */
  header: z.string(),
  /** The key, readable only with the key of the secrets. */
  sealed: z.string(),
  /** The service may be in the local network. */
  isLan: z.literal(true).exactOptional(),
  sharePercent: z.number().int().min(1).max(100),
  match: z.object({ output: z.string(), input: z.string() }).exactOptional(),
  createdAt: z.iso.datetime(),
});
export type StoredConnection = z.infer<typeof connectionSchema>;

/** `hosted.json`. */
export const hostedFileSchema = z.object({ version: z.literal(1), connections: z.array(connectionSchema) });
export type HostedFile = z.infer<typeof hostedFileSchema>;

/** One call of the test of a connection, as people read it. */
export type ProbedCall = {
  /** Absent: there was no answer. */
  readonly status?: number;
  readonly text: string;
  readonly ms: number;
};

/** Answers of a service to two calls that start nothing. */
export type ConnectionProbe = {
  readonly withKey: ProbedCall;
  readonly withoutKey: ProbedCall;
  /** How far the clock of the service is ahead, in ms; absent: its answer had no date. */
  readonly clockAheadMs?: number;
  /** Absent: both calls were answered as the interface document says. */
  readonly problem?: string;
};

/** Calls of the last minute, and how many are made in a minute. */
export type HostedMeter = { readonly limit: LimitName; readonly used: number; readonly of: number };

/** `output.id=input.id`; undefined for any other text. */
export function parseMatch(text: string): MatchFields | undefined {
  const [, output, input] = /^output\.([^=]+)=input\.([^=]+)$/.exec(text) ?? [];
  return output === undefined || input === undefined ? undefined : { output, input };
}
