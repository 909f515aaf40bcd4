import { CommanderError, type Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../src-main/cli/context.ts';
import { createProgram } from '../../../src-main/cli/create-program.ts';
import { UsageError } from '../../../src-main/cli/exit-code.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { recordedTerminal } from '../../builders/recorded-terminal.ts';

type Program = { readonly command: Command; readonly errText: () => string };

async function program(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Program> {
  let errText = '';
  const context: CommandContext = {
    terminal: recordedTerminal({ env }),
    clock: new FakeClock(),
    workerScript: 'none',
    pagesFolder: '',
    command: 'rowbench',
    exitWith: () => undefined,
  };
  const command = await createProgram(context, args);
  for (const each of [command, ...command.commands, ...command.commands.flatMap((one) => one.commands)]) {
    each.configureOutput({ writeErr: (text) => (errText += text), writeOut: () => undefined });
  }
  return { command, errText: () => errText };
}

async function parse(words: string, env?: NodeJS.ProcessEnv): Promise<Command> {
  const args = words.split(' ');
  const { command } = await program(args, env);
  return command.parseAsync(args, { from: 'user' });
}

describe('the command line', () => {
  it.each([
    ['serve --port 65536', '--port must be a number from 0 to 65535, not "65536"'],
    ['serve --port 4e3', '--port must be a number'],
    ['serve --limits 0x', '--limits must be published, off or 1x to 1000x, not "0x"'],
    ['serve --limits fast', '--limits must be published, off'],
    ['serve --unsafe-listen=', '--unsafe-listen needs an address'],
    ['serve --listen 10.0.0.5:4170', '--listen needs --database'],
    ['serve --tls-cert c.pem', '--tls-cert needs --listen'],
    ['runs list --limit 1.5', '--limit must be a whole number from 1 to 10,000, not "1.5"'],
  ])('refuses %s', async (words, message) => {
    await expect(parse(words)).rejects.toThrow(message);
    await expect(parse(words)).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ['runs list --status done', 'Allowed choices are queued, running, completed, failed'],
    ['run a.yaml --format xml', 'Allowed choices are json, ndjson, csv'],
    ['keys create', "required option '--name <name>' not specified"],
    ['run', "missing required argument 'file'"],
    ['vaildate', 'Did you mean validate?'],
    ['run a.yaml --row x', 'Did you mean --rows?'],
  ])('explains what is wrong with %s', async (words, message) => {
    const args = words.split(' ');
    const { command, errText } = await program(args);
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toBeInstanceOf(CommanderError);
    expect(errText()).toContain(message);
  });

  it.each([
    ['--help', '130 interrupted · 137 killed'],
    ['export --help', "the run's id, or 4 or more characters of its beginning or end"],
  ])('tells in %s what the guide tells', async (words, text) => {
    const args = words.split(' ');
    const { command } = await program(args);
    let help = '';
    for (const each of [command, ...command.commands])
      each.configureOutput({ writeOut: (written) => (help += written) });
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toBeInstanceOf(CommanderError);
    expect(help.replaceAll(/\s+/g, ' ')).toContain(text);
  });

  it.each([
    ['serv', '(see "rowbench --help")'],
    ['run', '(see "rowbench run --help")'],
    ['runs list --limt 1', '(see "rowbench runs list --help")'],
  ])('points at the help that explains %s', async (words, hint) => {
    const args = words.split(' ');
    const { command, errText } = await program(args);
    await expect(command.parseAsync(args, { from: 'user' })).rejects.toThrow();
    expect(errText()).toContain(hint);
  });

  it.each([['short'], ['has a blank in the middle'], ['ключ-ключ-ключ-ключ']])(
    'refuses a fixed key of %j before anything is opened',
    async (key) => {
      await expect(parse('serve', { ROWBENCH_API_KEY: key })).rejects.toThrow('16 characters or more');
    },
  );

  it('gives every command a description, and a data folder to those that need one', async () => {
    const { command } = await program(['--help']);
    const commands = command.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]));
    expect(commands.filter((each) => each.description() === '')).toEqual([]);
    const withData = commands.filter((each) => each.options.some((option) => option.long === '--data'));
    expect(commands.filter((each) => !withData.includes(each)).map((each) => each.name())).toEqual([
      'work',
      'test',
      'new',
      'validate',
      'publish',
      'migrate',
      'status',
    ]);
  });
});
