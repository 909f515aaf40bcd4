import { frameToWorker, messageFromWorker } from './frames.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';
import { checkMessage } from './check-message.ts';
import type { ProcessCodec } from './worker-process.ts';

/** The messages of row workers. */
export const rowWorkerCodec: ProcessCodec<ToWorker, FromWorker> = {
  encode: frameToWorker,
  decode: (head, parts) => checkMessage(messageFromWorker(head, parts)),
};
