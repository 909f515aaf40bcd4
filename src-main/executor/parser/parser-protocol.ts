// Messages between a server and the process that parses files for it.
import { frame, type Frame } from '../process/frames.ts';
import type { ProcessCodec } from '../process/worker-process.ts';
import type { JobArguments, JobName } from './parse-jobs.ts';

export type ToParser = {
  readonly job: JobName;
  readonly args: JobArguments<JobName>;
};

/** `result` is JSON in UTF-8. */
export type ParserAnswer =
  { readonly type: 'done'; readonly result: Uint8Array } | { readonly type: 'too-large' };
export type FromParser = { readonly type: 'ready' } | ParserAnswer;

export const frameFromParser = (message: FromParser): Frame =>
  message.type === 'done' ? frame({ type: 'done' }, [message.result]) : frame(message, []);

/** Codec of the messages. One job runs at a time, so an answer needs no number. */
export const parserCodec: ProcessCodec<ToParser, FromParser> = {
  encode: (message) => frame(message, []),
  decode: (head, [result]) => {
    const type: unknown = typeof head === 'object' && head !== null && 'type' in head ? head.type : undefined;
    if (type === 'done' && result !== undefined) return { type, result };
    if (type === 'ready' || type === 'too-large') return { type };
    throw new TypeError('no message of a parser');
  },
};
