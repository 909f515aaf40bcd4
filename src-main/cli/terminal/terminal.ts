// The terminal and environment of the process, as a command sees them. Commands write through this, so that tests can
// replace it.
import { askAtTerminal, askWithoutEcho, type Ask } from './ask-at-terminal.ts';
import { escapeControls } from '../format.ts';

/** The control sequence that begins the progress bar's text on standard error: it clears the line. */
export const clearLine = '\r\u001b[K';

type Colour = 'red' | 'green' | 'dim';
/** Text with the colours in which a terminal shows parts of it. */
export type ColouredText = readonly (string | { readonly colour: Colour; readonly text: string })[];

export type Terminal = {
  /**
   * Writes to standard output; resolves when the command may go on, rejects when the reader has gone. Control characters
   * are escaped, since rows, errors and names come from others. `data` (rows, JSON) reaches a file or a program unchanged
   * and is escaped only on a terminal.
   */
  readonly out: (text: string | ColouredText, kind?: 'words' | 'data') => Promise<void>;
  /** Writes words for a person to standard error, control characters escaped. */
  readonly err: (text: string) => void;
  /** Absent where no user can answer. */
  readonly ask?: Ask;
  /** As `ask`, but what is typed is not shown. */
  readonly askHidden?: Ask;
  /** True if standard error (progress) or standard output (colour, hints) is a terminal. */
  readonly errIsTerminal: boolean;
  readonly outIsTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
};

/** The streams and the environment of a terminal; `process` has all of them. */
type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'platform' | 'env'>;

/** The terminal of this process, or of other streams. */
export function processTerminal({ stdin, stdout, stderr, platform, env }: Streams = process): Terminal {
  // The caller of a write learns of a closed pipe; the stream's own event must not end the process with a stack.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const hasColours = stdout.isTTY === true && !env['NO_COLOR'];
  return {
    out: (text, kind = 'words') =>
      write(stdout, kind === 'data' && stdout.isTTY !== true ? plainText(text) : escaped(text, hasColours)),
    err: (text) => void stderr.write(escapedButForBar(text)),
    ...(stdin.isTTY && stderr.isTTY
      ? {
          ask: (question) => askAtTerminal(escapeControls(question)),
          askHidden: (question) => askWithoutEcho(escapeControls(question)),
        }
      : {}),
    errIsTerminal: stderr.isTTY === true,
    outIsTerminal: stdout.isTTY === true,
    columns: stderr.columns || 80,
    platform,
    env,
  };
}

const colourCodes: Readonly<Record<Colour, number>> = { red: 31, green: 32, dim: 2 };

const partsOf = (text: string | ColouredText): ColouredText => (typeof text === 'string' ? [text] : text);

export const plainText = (text: string | ColouredText): string =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');

const escaped = (text: string | ColouredText, hasColours: boolean): string =>
  partsOf(text)
    .map((part) => {
      if (typeof part === 'string') return escapeControls(part);
      const words = escapeControls(part.text);
      return hasColours ? `\u001b[${colourCodes[part.colour]}m${words}\u001b[0m` : words;
    })
    .join('');

/** The progress bar begins by clearing its line, which holds nothing but the bar: there it can hide no other text. */
const escapedButForBar = (text: string): string =>
  text.startsWith(clearLine)
    ? clearLine + escapeControls(text.slice(clearLine.length))
    : escapeControls(text);

const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** True if a write failed because its reader has closed the pipe, as `… | head` does; that is no failure. */
export const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
