import { plainText, type Terminal } from '../../src-main/cli/terminal/terminal.ts';

export type RecordedTerminal = Terminal & { outText(): string; errText(): string };

/** A terminal that keeps what is written to it. */
export function recordedTerminal(options: Partial<Terminal> = {}): RecordedTerminal {
  let out = '';
  let err = '';
  return {
    out: async (text) => {
      out += plainText(text);
    },
    err: (text) => {
      err += text;
    },
    errIsTerminal: false,
    outIsTerminal: false,
    columns: 100,
    platform: 'linux',
    env: {},
    ...options,
    outText: () => out,
    errText: () => err,
  };
}
