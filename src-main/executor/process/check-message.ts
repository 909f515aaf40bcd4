// What a worker says, looked at before it is believed: it decides what is stored, what is called and how long is
// waited. Who calls: fork-worker, which ends a worker that says anything else.
import { z } from 'zod';
import { longestWaitMs } from '../../domain/duration.ts';
import { nodeStatisticsSchema } from '../../domain/run/node-statistics.ts';
import type { FromWorker } from '../protocol.ts';
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
const statistics = nodeStatisticsSchema.array();
const newline = 0x0a;

/** The message itself. Throws for one that our own worker would never send. */
export function checkMessage(message: FromWorker): FromWorker {
  switch (message.type) {
    case 'portion-done': {
      const { nodes, trace } = message.result;
      if (!areUsualStatistics(nodes)) statistics.parse(nodes);
      if (trace.length > 0 && trace.at(-1) !== newline) throw new RangeError('a trace ends inside a line');
      return message;
    }
    case 'call':
      call.parse(message);
      return message;
    case 'wait':
      wait.parse(message);
      return message;
    case 'node-started':
      nodeStarted.parse(message);
      return message;
    default:
      return message;
  }
}
