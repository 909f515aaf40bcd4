// Checks the form of a worker's messages, which decide what is stored, which calls are made and how long a row waits.
// Who calls: the modules that start workers; they end a worker that sends any other message.
// executor/run/check-claims.ts then checks the message against the worker's rows and their plan.
import { z } from 'zod';
import { longestWaitMs } from '../../domain/duration.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { nodeStatisticsSchema } from '../../domain/run/node-statistics.ts';
import { rowFailureSchema } from '../../domain/run/row-failure.ts';
import type { FromWorker } from '../protocol.ts';

const count = z.number().int().nonnegative();
const header = z.tuple([z.string(), z.string()]);

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
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: z.array(header),
      body: z.string().optional(),
      isBase64: z.literal(true).optional(),
      // Equal to that of a node of the plan: executor/run/planned-calls.ts.
      auth: z.object({}).optional(),
      intervalMs: z.number().positive().max(3_600_000).optional(),
      timeoutMs: z.number().positive().optional(),
    }),
  }),
  'batch-done': z.object({
    batchId: count,
    endsRun: z.boolean(),
    result: z.object({
      rows: count,
      failures: rowFailureSchema.array(),
      nodes: nodeStatisticsSchema.array(),
    }),
  }),
  idle: z.object({ heardMessages: count }),
  paused: z.object({ pauseId: count }),
};

/** Returns the message. Throws for a message that our own worker would never send. */
export function checkMessage(message: FromWorker): FromWorker {
  if (!Object.hasOwn(schemas, message.type)) throw new RangeError('a message of no known type');
  schemas[message.type].parse(message);
  if (message.type === 'batch-done') {
    const { trace } = message.result;
    if (trace.length > 0 && trace.at(-1) !== newline) throw new RangeError('a trace ends inside a line');
  }
  return message;
}
