// Electron's security list has 20 items; each is covered by a spec that exists.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/security-checklist.md'), 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const [, item, , specs] = line.split('|').map((cell) => cell.trim());
  return /^\d+ /.test(item ?? '') ? [{ item: item ?? '', specs: specs ?? '' }] : [];
});

it('has each of the 20 items, once', () => {
  expect(rows.map(({ item }) => Number.parseInt(item, 10))).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
});

it.each(rows)('$item: names only specs that exist', ({ specs }) => {
  for (const named of specs.split(';')) {
    const [, file = '', title = ''] = /^`([\w/-]+\.spec)`(?: › (.+))?$/.exec(named.trim()) ?? [];
    expect([named, existsSync(join(root, 'test', `${file}.ts`))]).toEqual([named, true]);
    expect(readFileSync(join(root, 'test', `${file}.ts`), 'utf8')).toContain(title);
  }
});

it('a release is stopped by an Electron that gets no security fixes any more', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { electron: string };
  };
  const major = Number.parseInt(devDependencies.electron, 10);
  const check = (...newest: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/check-electron.mjs'), ...newest]).status;
  expect([check(`${major + 2}.0.0`), check(`${major + 3}.0.0`), check(''), check()]).toEqual([0, 1, 1, 1]);
  const release = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  expect(release).toContain('node scripts/check-electron.mjs "$(npm view electron version)"');
});
