// Checks the form of a worker's messages, which decide what is stored, which calls are made and how long a row waits.
// Who calls: the modules that start workers; they end a worker that sends any other message.
// executor/run/check-claims.ts then checks the message against the worker's rows and their plan.
import { z } from 'zod';
import { longestWaitMs } from '../../domain/duration.ts';
import { nodeStatisticsSchema } from '../../domain/run/node-statistics.ts';
import { rowFailureSchema } from '../../domain/run/row-failure.ts';
import type { FromWorker, PortionDone } from '../protocol.ts';
import { areUsualStatistics } from './usual-statistics.ts';

const count = z.number().int().nonnegative();
const header = z.tuple([z.string(), z.string()]);

const call = z.object({
  type: z.literal('call'),
  call: count,
  portion: count,
  place: z.object({ row: count, site: z.string(), attempt: count }),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(header),
    body: z.string().optional(),
    auth: z.object({ secret: z.string(), header: z.string() }).optional(),
    timeoutMs: z.number().positive().optional(),
  }),
});
const wait = z.object({
  type: z.literal('wait'),
  wait: count,
  portion: count,
  ms: z.number().nonnegative().max(longestWaitMs),
});
const nodeStarted = z.object({
  type: z.literal('node-started'),
  nodeId: z.string(),
  attempt: count,
  allowedMs: z.number().positive(),
  overtime: z.string(),
});
const loadFailed = z.object({ type: z.literal('load-failed'), message: z.string() });
const held = z.object({ type: z.literal('held'), nth: count });
const resting = z.object({ type: z.literal('resting'), heard: count });
const failures = rowFailureSchema.array();
const statistics = nodeStatisticsSchema.array();
const newline = 0x0a;

/** The message itself. Throws for one that our own worker would never send. */
export function checkMessage(message: FromWorker): FromWorker {
  switch (message.type) {
    case 'portion-done':
      checkResult(message);
      return message;
    case 'call':
      call.parse(message);
      return message;
    case 'wait':
      wait.parse(message);
      return message;
    case 'node-started':
      nodeStarted.parse(message);
      return message;
    case 'load-failed':
      loadFailed.parse(message);
      return message;
    case 'held':
      held.parse(message);
      return message;
    case 'resting':
      resting.parse(message);
      return message;
    case 'ready':
    case 'alive':
      return message;
    default:
      throw new RangeError('a message of no known type');
  }
}

/** Most results have no failure, and statistics of the usual form: what a schema would say of those is known. */
function checkResult({ portion, result, endsRun }: PortionDone): void {
  const { rows, failures: failed, nodes, trace } = result;
  if (!Number.isSafeInteger(portion) || !Number.isSafeInteger(rows) || typeof endsRun !== 'boolean')
    throw new TypeError('a result without its rows');
  if (!Array.isArray(failed) || failed.length > 0) failures.parse(failed);
  if (!areUsualStatistics(nodes)) statistics.parse(nodes);
  if (trace.length > 0 && trace.at(-1) !== newline) throw new RangeError('a trace ends inside a line');
}
