// A reader of the control API's event stream, as a page would read it.
import type { LiveChange, LiveMessage } from '../../src-main/contract/index.ts';

type ReadEvent = { readonly id: string; readonly message: LiveMessage };

export type EventReader = {
  readonly response: Response;
  /** The next event; undefined when the stream has ended. Comments are left out. */
  readonly next: () => Promise<ReadEvent | undefined>;
  /** Reads until a change is what is looked for, and gives it. */
  readonly until: (isIt: (change: LiveChange) => boolean) => Promise<LiveChange>;
  readonly leave: () => void;
};

export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/_rowbench/v1/events`, { headers, signal: leaving.signal });
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<ReadEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const piece = await pieces?.read();
        if (piece === undefined || piece.done) return undefined;
        text += piece.value;
        continue;
      }
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(event) ?? [];
      if (id !== undefined && data !== undefined) return { id, message: JSON.parse(data) as LiveMessage };
    }
  };
  return {
    response,
    next,
    until: async (isIt) => {
      for (;;) {
        const event = await next();
        if (event === undefined) throw new Error('the stream ended before the change came');
        const changes = event.message.type === 'changes' ? event.message.changes : [];
        const found = changes.find(isIt);
        if (found !== undefined) return found;
      }
    },
    leave: () => leaving.abort(),
  };
}
