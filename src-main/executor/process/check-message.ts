// Checks the form of a worker's messages, which decide what is stored, which calls are made and how long a row waits.
// Who calls: the modules that start workers; they end a worker that sends any other message.
// executor/run/check-claims.ts then checks the message against the worker's rows and their plan.
import { z } from 'zod';
import { longestWaitMs } from '../../domain/duration.ts';
import { latencyBuckets } from '../../domain/results/latency-bucket.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { nodeStatisticsSchema } from '../../domain/results/node-statistics.ts';
import { rowFailureSchema } from '../../domain/run/row-failure.ts';
import { maxSessionLength } from '../../domain/nodes/session-slot.ts';
import { statusClasses } from '../../domain/upstream/status-class.ts';
import { maxSharedBytes } from '../plan.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';
import { frameToWorker, messageFromWorker } from './frames.ts';
import type { ProcessCodec } from './worker-process.ts';

const count = z.number().int().nonnegative();
const header = z.tuple([z.string(), z.string()]);

export const batchDoneSchema = z.object({
  batchId: count,
  endsRun: z.boolean(),
  result: z.object({
    rows: count,
    failures: rowFailureSchema.array(),
    nodes: nodeStatisticsSchema.array(),
  }),
});

/** Schemas of the messages. Bytes are sent next to the message (frames.ts), so the schemas leave them out. */
const schemas: { readonly [Type in FromWorker['type']]: z.ZodType } = {
  ready: z.object({}),
  alive: z.object({}),
  'load-failed': z.object({ message: z.string() }),
  'node-started': z.object({
    nodeId: z.string(),
    attempt: count,
    allowedMs: z.number().positive(),
    timeoutMessage: z.string(),
  }),
  wait: z.object({
    wait: count,
    batchId: count,
    ms: z.number().nonnegative().max(longestWaitMs),
    row: count,
    nodeId: z.string(),
  }),
  call: z.object({
    call: count,
    batchId: count,
    origin: z.object({ row: count, site: z.string(), attempt: count }),
    claim: count.optional(),
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: z.array(header),
      body: z.string().optional(),
      isBase64: z.literal(true).optional(),
      // Equal to that of a node of the plan: executor/run/planned-calls.ts.
      auth: z.object({}).optional(),
      intervalMs: z.number().positive().max(3_600_000).optional(),
      expect: z.array(z.union([z.number(), z.enum(statusClasses)])).optional(),
      timeoutMs: z.number().positive().optional(),
      redirect: z.literal('answer').optional(),
      session: z.string().max(maxSessionLength).optional(),
      isShared: z.literal(true).optional(),
      refuses: count.optional(),
    }),
  }),
  'claim-ended': z.object({
    claim: count,
    call: count,
    batchId: count,
    text: z
      .string()
      .max(maxSharedBytes)
      .refine((text) => Buffer.byteLength(text) <= maxSharedBytes),
    hasFailed: z.boolean(),
  }),
  'claim-released': z.object({ claim: count }),
  'batch-done': batchDoneSchema,
  idle: z.object({ heardMessages: count }),
  paused: z.object({ pauseId: count }),
};

/** Returns the message. Throws for a message that our own worker would never send. */
export function checkMessage(message: FromWorker): FromWorker {
  if (!Object.hasOwn(schemas, message.type)) throw new RangeError('a message of no known type');
  const isKnown = message.type === 'batch-done' && isUsualResult(message);
  if (!isKnown) schemas[message.type].parse(message);
  if (message.type === 'batch-done') {
    const { trace } = message.result;
    if (trace.length > 0 && trace.at(-1) !== newline) throw new RangeError('a trace ends inside a line');
  }
  return message;
}

// Recognises the results that workers usually send, so that the schema parses only the rare ones. For a few hundred
// numbers it takes longer than all other work on a batch of quick rows.
// INVARIANT: the schema of `batch-done` accepts every message that this module accepts.

const counters = ['done', 'failed', 'skipped', 'replaced', 'retries', 'micros'] as const;
/** The counters, the node's id and the buckets; with more or fewer members, the schema decides. */
const members = counters.length + 2;
const maxNodeIdLength = 200;

/** True for a result without failures, whose nodes used no tokens and made no calls. */
export function isUsualResult(message: object): boolean {
  const { batchId, endsRun, result } = message as Record<string, unknown>;
  if (!isCount(batchId) || typeof endsRun !== 'boolean' || typeof result !== 'object' || result === null)
    return false;
  const { rows, failures, nodes } = result as Record<string, unknown>;
  if (!isCount(rows) || !Array.isArray(failures) || failures.length > 0) return false;
  return Array.isArray(nodes) && nodes.every(isUsualNode);
}

function isUsualNode(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== members) return false;
  const node = value as Record<string, unknown>;
  const { nodeId, buckets } = node;
  if (typeof nodeId !== 'string' || nodeId.length > maxNodeIdLength) return false;
  return counters.every((name) => isCount(node[name])) && areBuckets(buckets);
}

const areBuckets = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length % 2 === 0 &&
  value.length <= 2 * latencyBuckets &&
  value.every(isCount);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** The messages of row workers. */
export const rowWorkerCodec: ProcessCodec<ToWorker, FromWorker> = {
  encode: frameToWorker,
  decode: (head, parts) => checkMessage(messageFromWorker(head, parts)),
};
