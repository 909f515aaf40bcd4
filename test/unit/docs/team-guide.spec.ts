// The files of the guide for teams, as a reader copies them: containers, units, and the commands in them.
import { execFile } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../../src-main/cli/create-program.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { recordedTerminal } from '../../builders/recorded-terminal.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const guide = await readFile(new URL('../../../docs/guide/team.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)?.[1] ?? '';
const systemdAnalyze = '/usr/bin/systemd-analyze';
const hasSystemd = await access(systemdAnalyze).then(
  () => true,
  () => false,
);

type Service = {
  readonly image: string;
  readonly command?: string;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
};

type ComposeFile = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, object>>;
};

it('the containers use services, volumes and commands that exist', { timeout: 60_000 }, async () => {
  const { services, volumes } = parse(block('yaml'), { merge: true }) as ComposeFile;
  expect(Object.keys(services)).toEqual(['postgres', 'migrate', 'serve-1', 'serve-2', 'work', 'caddy']);
  for (const [name, service] of Object.entries(services)) {
    expect(service.image, name).toMatch(/^[a-z]+:\S+$/);
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(services)).toContain(needed);
      if (condition === 'service_healthy') expect(services[needed]?.healthcheck).toBeDefined();
    }
    for (const volume of service.volumes ?? []) {
      const source = volume.split(':')[0] ?? '';
      if (!source.startsWith('.')) expect(Object.keys(volumes), name).toContain(source);
    }
  }
  const commands = Object.values(services).flatMap(({ command }) => (command === undefined ? [] : [command]));
  expect(commands).toHaveLength(4);
  for (const command of commands) await expectCommand(command.split('/cli.js ')[1] ?? '');
});

it('the commands of the guide have the options that it uses', { timeout: 60_000 }, async () => {
  const lines = [...guide.matchAll(/```console\n(.*?)```/gs)].flatMap(([, text = '']) => text.split('\n'));
  const words = lines.flatMap((line) => line.split('$ rowbench ').slice(1));
  words.push(...[...guide.matchAll(/`rowbench ([^`]+)`/g)].map(([, text = '']) => text));
  expect(words.length).toBeGreaterThan(8);
  for (const each of words) await expectCommand(each);
});

it.skipIf(!hasSystemd)('systemd accepts the unit of the guide', async () => {
  const unit = block('ini');
  await expectCommand(unit.split('/cli.js ')[1]?.split('\n')[0] ?? '');
  const file = join(await temporaryFolder(), 'rowbench-work.service');
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
  const { stdout, stderr } = await promisify(execFile)(systemdAnalyze, ['verify', file]);
  expect(stdout + stderr).not.toContain('rowbench-work.service');
});

/** Words of a command line after `rowbench`: the command exists, and has these options. */
async function expectCommand(line: string): Promise<void> {
  const words = line.split(' ');
  let command: Command = await createProgram(
    {
      terminal: recordedTerminal(),
      clock: new FakeClock(),
      workerScript: 'none',
      pagesFolder: '',
      command: 'rowbench',
      exitWith: () => undefined,
    },
    words,
  );
  const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]);
  for (const word of words) {
    const found = command.commands.find((each) => each.name() === word);
    if (found === undefined) break;
    command = found;
  }
  expect(command.name(), line).not.toBe('rowbench');
  const options = command.options.map(({ long }) => long);
  for (const flag of flags) expect(options, line).toContain(flag);
}
