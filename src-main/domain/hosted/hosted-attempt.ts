// How far a run at a hosted service is, as its record has it. The record is the ledger: `sentAt` is durable before the
// rows are sent, and `runId` as soon as the service has given one.
import { z } from 'zod';
import { isFinal, type RunStatus } from '../run/run-status.ts';

/** How outputs were matched to rows. `order` is not proven, `none` means that they could not be matched. */
const matchKinds = ['one', 'field', 'order', 'none'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** Maximum statuses that a record keeps. */
const maxSeen = 50;

export const hostedAttemptSchema = z.object({
  /** Name of the connection. */
  connection: z.string(),
  /** Id of the run at the service. */
  runId: z.string().exactOptional(),
  /** When its rows were about to be sent; absent: they have not been sent, or did not arrive. */
  sentAt: z.iso.datetime().exactOptional(),
  /** The service may have the rows or not; no id came back, or nothing is known of the run any more. */
  isUnknown: z.literal(true).exactOptional(),
  matchedBy: z.enum(matchKinds).exactOptional(),
  /** Fields that matched outputs to rows. */
  matchFields: z.object({ output: z.string(), input: z.string() }).exactOptional(),
  /** Status with which the service has refused the rows. */
  refusedStatus: z.number().int().exactOptional(),
  /** The last answer that was no help, for people; absent: the last call went well. */
  problem: z.string().exactOptional(),
  /** Statuses that the service has answered, each when it was first seen. */
  seen: z.array(z.object({ at: z.iso.datetime(), status: z.string() })).max(maxSeen),
});
export type HostedAttempt = z.infer<typeof hostedAttemptSchema>;

type HostedRecord = { readonly status: RunStatus; readonly hosted?: HostedAttempt | undefined };

/** An attempt that may still bring results: until it has ended, no other attempt takes its rows. */
export const isUnfinishedAttempt = ({ status, hosted }: HostedRecord): boolean =>
  hosted !== undefined && !isFinal(status);

/** The service may be working on the run's rows: it has not ended, and its rows were sent. To send them again would be a second bill. */
export const isOpenAtService = ({ status, hosted }: HostedRecord): boolean =>
  hosted?.sentAt !== undefined && !isFinal(status);

/** Its rows were sent, and only a person can find out what became of them. */
export const isUnknownOutcome = ({ status, hosted }: HostedRecord): boolean =>
  hosted?.isUnknown === true && !isFinal(status);

export function withoutProblem(attempt: HostedAttempt): HostedAttempt {
  const copy = { ...attempt };
  delete copy.problem;
  return copy;
}

/** The attempt once it is known that no row has left. */
export function unsentAttempt(attempt: HostedAttempt, problem: string): HostedAttempt {
  const copy = { ...attempt, problem };
  delete copy.sentAt;
  return copy;
}

/** The attempt with one more status seen, and without a problem; the same one if it says so already. */
export function withSeen(attempt: HostedAttempt, status: string, at: string): HostedAttempt {
  const { seen } = attempt;
  const isSame = seen.at(-1)?.status === status;
  if (isSame && attempt.problem === undefined) return attempt;
  return { ...withoutProblem(attempt), seen: isSame ? seen : [...seen, { at, status }].slice(-maxSeen) };
}
