// Reads the value of a secret: typed without echo, or from standard input. Never from an argument: every process of the
// machine can read it, and the shell keeps it.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { InterruptedError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** The one line that was typed or piped in, without its end. */
export async function readSecretValue({ askHidden }: Terminal, question: string): Promise<string> {
  const given = askHidden === undefined ? await text(process.stdin) : await askHidden(question);
  return given.replace(/\r?\n$/, '');
}

/** Asks at this process's terminal. Throws an InterruptedError on Ctrl-C. */
export async function askWithoutEcho(question: string): Promise<string> {
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
}
