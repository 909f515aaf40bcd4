import { createInterface } from 'node:readline';
import { InterruptedError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** Whether the person said yes; anything else, and the end of the input, is no. Throws an InterruptedError on Ctrl-C. */
export async function confirm(ask: NonNullable<Terminal['ask']>, question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `));
}

/** One line typed by a person at this process's terminal. */
export function askAtTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new InterruptedError('Cancelled')));
    lines.once('close', () => resolve(''));
    lines.question(question, resolve);
  }).finally(() => lines.close());
}
