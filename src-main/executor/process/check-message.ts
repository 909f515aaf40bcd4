// What a worker says, looked at before it is believed: statistics are added to what came before and stored.
import { nodeStatisticsSchema } from '../../domain/run/node-statistics.ts';
import type { FromWorker } from '../protocol.ts';

const statistics = nodeStatisticsSchema.array();
const newline = 0x0a;

/** The message itself. Throws for one that our own worker would never send. */
export function checkMessage(message: FromWorker): FromWorker {
  if (message.type !== 'portion-done') return message;
  const { nodes, trace } = message.result;
  statistics.parse(nodes);
  if (trace.length > 0 && trace.at(-1) !== newline) throw new RangeError('a trace ends inside a line');
  return message;
}
