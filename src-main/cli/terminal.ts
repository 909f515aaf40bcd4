// What a command sees of the process around it. Commands write through this, so that tests can hand them another.
import { askAtTerminal } from './confirm.ts';
import { askWithoutEcho } from './secret-value.ts';

export type Terminal = {
  /** Writes what the command answers to standard output; resolves when it may go on. Rejects when nobody reads. */
  readonly out: (text: string) => Promise<void>;
  /** Writes words for a person to standard error. */
  readonly err: (text: string) => void;
  /** Asks for one line. Absent where nobody is there to answer. */
  readonly ask?: (question: string) => Promise<string>;
  /** As `ask`, but what is typed is not shown. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Whether a person looks at standard error (progress) and at standard output (colour, hints). */
  readonly errIsTerminal: boolean;
  readonly outIsTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
};

/** This process's own. */
export function processTerminal(): Terminal {
  // A closed pipe is reported to whoever writes; the stream's own event must not end the process with a stack.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    out: (text) => write(process.stdout, text),
    err: (text) => void process.stderr.write(text),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: askAtTerminal, askHidden: askWithoutEcho } : {}),
    errIsTerminal: process.stderr.isTTY === true,
    outIsTerminal: process.stdout.isTTY === true,
    columns: process.stderr.columns || 80,
    platform: process.platform,
    env: process.env,
  };
}

const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Whether a write failed because the reader has gone, as with `… | head`: no failure of ours. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
