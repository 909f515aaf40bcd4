import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ProgressBar } from '../../../src-main/cli/terminal/progress-bar.ts';
import { processTerminal, type Terminal } from '../../../src-main/cli/terminal/terminal.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

/** All control characters but tab and line feed, and the characters that turn the direction of a text. */
const steering = [
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)),
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
].filter((character) => character !== '\t' && character !== '\n' && !/[ -~]/.test(character));

type Setup = { readonly isTerminal: boolean; readonly env?: NodeJS.ProcessEnv };

/** Texts that `use` wrote to the standard output and the standard error of a process. */
async function written(
  use: (terminal: Terminal) => Promise<void>,
  { isTerminal, env = {} }: Setup,
): Promise<[stdout: string, stderr: string]> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const asStream = (stream: PassThrough) =>
    Object.assign(stream, { isTTY: isTerminal, columns: 80 }) as unknown as NodeJS.WriteStream & {
      fd: 1 & 2;
    };
  const terminal = processTerminal({
    stdin: process.stdin,
    stdout: asStream(stdout),
    stderr: asStream(stderr),
    platform: 'linux',
    env,
  });
  await use(terminal);
  stdout.end();
  stderr.end();
  return Promise.all([text(stdout), text(stderr)]);
}

describe('the terminal', () => {
  it.each([true, false])(
    'escapes words on standard output and error, seen by a user or not: %s',
    async (isTerminal) => {
      const [stdout, stderr] = await written(
        async (terminal) => {
          await terminal.out(`name ${steering.join('')}\n\tend`);
          terminal.err(`error ${steering.join('')}\n\tend`);
          terminal.err('x\r\u001b[Kspoofed');
        },
        { isTerminal },
      );
      for (const character of steering) expect(stdout + stderr).not.toContain(character);
      expect(stdout).toMatch(/^name \\u0000\\u0001.*\\u009b.*\\u2069\n\tend$/);
      expect(stderr).toContain('x\\u000d\\u001b[Kspoofed');
    },
  );

  it('shows data on a terminal without what would steer it, as JSON of the same value', async () => {
    const value = { text: `${steering.join('')}ü🦉` };
    const [stdout] = await written((terminal) => terminal.out(JSON.stringify(value), 'data'), {
      isTerminal: true,
    });
    for (const character of steering) expect(stdout).not.toContain(character);
    expect(JSON.parse(stdout)).toEqual(value);
  });

  it('gives data to a program unchanged', async () => {
    const data = `cell\u001b[2J,\u009b1\r\n`;
    expect(await written((terminal) => terminal.out(data, 'data'), { isTerminal: false })).toEqual([
      data,
      '',
    ]);
  });

  it.each([
    [true, {}, '\u001b[31mFAIL\\u001b[2J\u001b[0m rest\\u0007'],
    [true, { NO_COLOR: '1' }, 'FAIL\\u001b[2J rest\\u0007'],
    [false, {}, 'FAIL\\u001b[2J rest\\u0007'],
  ])('colours its own parts alone (terminal: %s, environment: %j)', async (isTerminal, env, shown) => {
    const [stdout] = await written(
      (terminal) => terminal.out([{ colour: 'red', text: 'FAIL\u001b[2J' }, ' rest\u0007']),
      { isTerminal, env },
    );
    expect(stdout).toBe(shown);
  });

  it('lets the progress bar draw and clear its line', async () => {
    const [, stderr] = await written(
      async (terminal) => {
        const bar = new ProgressBar(terminal, new FakeClock());
        bar.update(1, 2);
        bar.clear();
      },
      { isTerminal: true },
    );
    expect(stderr).toMatch(/^\r\u001b\[K\[#+\.+\] 1 \/ 2 rows {2}0 rows\/s\r\u001b\[K$/);
  });
});
