// GET /_rowbench/v1/events: what changed, as server-sent events. Read with fetch, because the token is a header; a
// reader that comes back names the last event that it has in Last-Event-ID.
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { LiveChange, LiveMessage, LiveSnapshot } from '../../../contract/index.ts';
import type { FeedReading, FeedUpdate } from '../../../services/api/live-feed.ts';
import { writeOut } from '../../write-out.ts';

export type LiveUpdate = FeedUpdate<LiveSnapshot, LiveChange>;

/** Source of the stream's updates: services' live feed. */
export type LiveUpdates = (reading: FeedReading) => AsyncIterable<LiveUpdate>;

/** Streams that are open at once. With one more the oldest is cut off, so that they leave connections for calls. */
export const maxStreams = 64;

/** The open streams of one server, oldest first. */
export class OpenStreams {
  /** True while the reader of a stream may read it. */
  readonly #open = new Map<ServerResponse, () => boolean>();

  add(response: ServerResponse, isAllowed: () => boolean): void {
    this.#open.set(response, isAllowed);
    response.once('close', () => this.#open.delete(response));
    const [oldest] = this.#open.keys();
    // Destroyed, not ended: a stream that its client has stopped reading would keep its connection.
    if (this.#open.size > maxStreams) oldest?.destroy();
  }

  /** Cuts off readers whose access has ended. */
  endRefused(): void {
    for (const [response, isAllowed] of this.#open) if (!isAllowed()) response.destroy();
  }
}

export type StreamOptions = {
  readonly updates: LiveUpdates;
  readonly streams: OpenStreams;
  /** True while the reader may read it. Its access may end by time alone, or on another server. */
  readonly isAllowed: () => boolean;
};

/** Answers until the client goes or the feed ends; throws what goes wrong before the first byte. */
export async function streamEvents(
  context: Context,
  { updates, streams, isAllowed }: StreamOptions,
): Promise<void> {
  const { req: request, res: response } = context;
  const gone = new AbortController();
  streams.add(response, isAllowed);
  response.once('close', () => gone.abort());
  const position = request.headers['last-event-id'];
  const after = typeof position === 'string' ? position : undefined;
  context.respond = false;
  for await (const update of updates({ after, signal: gone.signal })) {
    if (!isAllowed()) return void response.destroy();
    // Late, so that a snapshot that cannot be made is an answer with an error.
    if (!response.headersSent)
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    // The client has gone: further updates have no reader.
    if (gone.signal.aborted || response.destroyed) break;
    await writeOut(response, Buffer.from(eventText(update)));
  }
  response.end();
}

/** One event. JSON has no line breaks of its own, so each is one `data` line. */
function eventText(update: LiveUpdate): string {
  if (update.kind === 'quiet') return ': quiet\n\n';
  const { sequence } = update;
  const message: LiveMessage =
    update.kind === 'snapshot'
      ? { type: 'snapshot', sequence, snapshot: update.snapshot }
      : { type: 'changes', sequence, changes: update.changes };
  return `id: ${update.position}\ndata: ${JSON.stringify(message)}\n\n`;
}
