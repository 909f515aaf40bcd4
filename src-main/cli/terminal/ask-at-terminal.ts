// Questions to the user at this process's terminal, written to standard error.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InterruptedError } from '../exit-code.ts';

/** Asks the user for one line; empty at the end of the input. Throws an InterruptedError on Ctrl-C. */
export type Ask = (question: string) => Promise<string>;

export const askAtTerminal: Ask = (question) => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new InterruptedError('Cancelled')));
    lines.once('close', () => resolve(''));
    lines.question(question, resolve);
  }).finally(() => lines.close());
};

/** As `askAtTerminal`, but the terminal does not show the line. */
export const askWithoutEcho: Ask = (question) => {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new InterruptedError('Cancelled')));
    lines.once('close', () => resolve(''));
    lines.once('line', resolve);
  }).finally(() => {
    lines.close();
    process.stderr.write('\n');
  });
};

/** Asks for a confirmation. Resolves to true for yes, and to false for any other line or the end of the input. */
export const confirm = async (ask: Ask, question: string): Promise<boolean> =>
  /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `));
