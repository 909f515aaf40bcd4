// A body's rows on their way to storage: streamed, checked and cut. Who calls: every route that receives rows.
import type { Context } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { Settings } from '../domain/settings.ts';
import { notesOf } from './call-notes.ts';
import { readBody } from './request-body.ts';
import type { RowNumbersHead } from './row-numbers-head.ts';
import { RowSplitter } from './row-splitter.ts';

/** A row passes through memory as a whole when it is run; this is more than any honest one has. */
const maxRowBytes = 64 * 1024 * 1024;

type RowsReceiver = {
  readonly settings: () => Settings;
  readonly clock: Clock;
  /** Takes rows as lines of JSON; a piece may end inside a line, and is good until it resolves. */
  readonly write: (lines: Uint8Array) => Promise<void>;
  /** Takes numbers off the body's beginning. */
  readonly head?: RowNumbersHead;
};

/** The number of rows, once all were handed over. Throws `invalid_body`, `body_too_large`, `request_timeout`. */
export async function receiveRows(context: Context, receiver: RowsReceiver): Promise<number> {
  const { settings, clock, write, head } = receiver;
  const { maxBodyBytes, maxRows } = settings();
  const { sent } = notesOf(context);
  const splitter = new RowSplitter({ maxRows, maxRowBytes });
  for await (const chunk of readBody(context.req, {
    response: context.res,
    maxBytes: maxBodyBytes,
    clock,
  })) {
    // First: the splitter may write into the chunk.
    sent.take(chunk);
    const lines = splitter.push(head === undefined ? chunk : head.push(chunk));
    if (lines.length > 0) await write(lines);
  }
  head?.end();
  return splitter.end();
}
