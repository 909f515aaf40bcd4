import { createParser } from 'eventsource-parser';
import type { LiveMessage } from '#contract';
import { unreachable } from './control-error.ts';

export type EventReading = {
  /** Position of the last event that is known. */
  readonly after?: string | undefined;
  readonly signal: AbortSignal;
  readonly onMessage: (message: LiveMessage, position: string) => void;
  /** Called for every sign of life, events and quiet ones. */
  readonly onAlive: () => void;
};

/** Reads a stream of events to its end. Throws `unreachable` when it breaks; ends quietly when it is aborted. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { signal, onMessage, onAlive }: EventReading,
): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ id = '', data }) => onMessage(JSON.parse(data) as LiveMessage, id),
  });
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      onAlive();
      parser.feed(decoder.decode(piece.value, { stream: true }));
    }
  } catch (cause) {
    if (!signal.aborted) throw unreachable(cause);
  }
}
