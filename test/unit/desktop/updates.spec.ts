import { expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { feedProblem } from '../../../src-main/app/shell/update-feed.ts';
import { everyMs, firstLookMs, Updates } from '../../../src-main/desktop/updates.ts';
import { electronDouble } from '../../builders/electron-double.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { UpdaterDouble } from '../../builders/updater-double.ts';

function start({ version = '2.0.0', problem }: { version?: string; problem?: string } = {}) {
  const { parts, dialog } = electronDouble();
  const clock = new FakeClock();
  const updater = new UpdaterDouble(version);
  const state = { isOn: true, loads: 0, left: 0, restarts: 0 };
  const updates = new Updates({
    ...parts,
    problem: async () => problem,
    load: async () => {
      state.loads += 1;
      return updater.part;
    },
    isOn: () => state.isOn,
    leave: async (install) => {
      state.left += 1;
      install();
    },
    restart: () => (state.restarts += 1),
    clock,
    log: silentLog,
  });
  return {
    dialog,
    clock,
    updater,
    state,
    updates,
    questions: () => dialog.shown.map(({ message }) => message),
  };
}

it('asks before it downloads, and again before it quits and installs', async () => {
  const { dialog, clock, updater, state, questions } = start();
  dialog.presses.push('Download', 'Quit and install');
  clock.advance(firstLookMs);
  await expect.poll(() => updater.done).toEqual(['check', 'download', 'install']);
  expect([questions(), state.left]).toEqual([
    ['Rowbench 2.0.0 is there. Download it?', 'Rowbench 2.0.0 is downloaded. Install it now?'],
    1,
  ]);
});

it('starts anew when the installer does not start, since the server has ended by then', async () => {
  const { dialog, updater, state, updates } = start();
  updater.installFailure = new Error('pkexec was cancelled');
  dialog.presses.push('Download', 'Quit and install');
  await updates.look(true);
  expect([updater.done, state.left, state.restarts]).toEqual([['check', 'download', 'install'], 1, 1]);
});

it('tells the updater to do nothing by itself, and nothing backwards', async () => {
  const { updater, updates } = start();
  await updates.look(false);
  expect(updater).toMatchObject({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: false,
    allowPrerelease: false,
    disableWebInstaller: true,
  });
});

it('downloads and installs nothing that the user declined, and asks once for each version', async () => {
  const { dialog, clock, updater, questions } = start();
  clock.advance(firstLookMs);
  await expect.poll(() => dialog.shown.length).toBe(1);
  clock.advance(everyMs);
  await expect.poll(() => updater.done).toEqual(['check', 'check']);
  updater.version = '2.1.0';
  clock.advance(everyMs);
  await expect.poll(questions).toHaveLength(2);
  expect(updater.done).toEqual(['check', 'check', 'check']);
});

it('stays when the user wants to install later', async () => {
  const { dialog, updater, state, updates } = start();
  dialog.presses.push('Download');
  await updates.look(true);
  expect([updater.done, state.left]).toEqual([['check', 'download'], 0]);
});

it('looks for nothing while it is switched off, but when the user says so', async () => {
  const { clock, updater, state, updates, questions } = start({ version: '' });
  state.isOn = false;
  clock.advance(firstLookMs + 3 * everyMs);
  await updates.look(false);
  expect([state.loads, updater.done]).toEqual([0, []]);
  await updates.look(true);
  expect([updater.done, questions()]).toEqual([['check'], ['This is the newest version of Rowbench']]);
});

it('loads nothing in a build without a feed that can be trusted, and says why', async () => {
  const { state, updates, questions } = start({ problem: 'It names no place' });
  await updates.look(false);
  expect(questions()).toEqual([]);
  await updates.look(true);
  expect([state.loads, questions()]).toEqual([0, ['It names no place']]);
});

it('does not call itself the newest where it cannot know', async () => {
  const { updater, updates, questions } = start();
  updater.isActive = false;
  await updates.look(true);
  expect(questions()).toEqual([expect.stringContaining('was not installed in a way')]);
});

it('a failed check is reported only if the user started it', async () => {
  const { updater, updates, dialog } = start();
  updater.failure = new Error('sha512 checksum mismatch');
  await updates.look(false);
  expect(dialog.shown).toEqual([]);
  await updates.look(true);
  expect(dialog.shown[0]).toMatchObject({ type: 'warning', detail: 'sha512 checksum mismatch' });
});

it.each([
  ['no file', undefined, 'linux', 'names no place'],
  ['a file without a provider', 'url: https://example.com\n', 'linux', 'names no place'],
  ['plain HTTP', 'provider: generic\nurl: http://example.com/\n', 'linux', 'others can change'],
  ['a file feed', "provider: generic\nurl: 'file:///tmp'\n", 'darwin', 'others can change'],
  ['another provider', 'provider: s3\nbucket: x\n', 'linux', 'others can change'],
  ['Windows without a publisher', 'provider: github\nowner: a\nrepo: b\n', 'win32', 'not signed'],
  ['Windows with an empty one', 'provider: github\npublisherName:\nrepo: b\n', 'win32', 'not signed'],
] as const)('refuses %s', (_, text, platform, words) => {
  expect(feedProblem(text, platform)).toContain(words);
});

it.each([
  ['provider: github\nowner: a\nrepo: b\n', 'linux'],
  ["provider: generic\nurl: 'https://example.com/rowbench'\n", 'darwin'],
  ['provider: github\nowner: a\npublisherName:\n  - Rowbench Ltd\n', 'win32'],
  ['provider: github\nowner: a\npublisherName: Rowbench Ltd\n', 'win32'],
] as const)('takes %j on %s', (text, platform) => {
  expect(feedProblem(text, platform)).toBeUndefined();
});
