import { expect, it } from 'vitest';
import { QuitGuard } from '../../../src-main/desktop/quit-guard.ts';
import { electronDouble } from '../../builders/electron-double.ts';

function start(active: number) {
  const double = electronDouble();
  const state = { active, closed: 0 };
  const guard = new QuitGuard({
    ...double.parts,
    active: () => state.active,
    close: async () => void (state.closed += 1),
  });
  const hasQuit = (): boolean => double.app.calls.includes('quit');
  return { ...double, state, guard, hasQuit };
}

it('leaves without a question when no run is under way', async () => {
  const { app, dialog, state, hasQuit } = start(0);
  app.quit();
  await expect.poll(hasQuit).toBe(true);
  expect([dialog.shown, state.closed]).toEqual([[], 1]);
});

it('keeps runs for the next start', async () => {
  const { app, dialog, state, hasQuit } = start(2);
  dialog.presses.push('Quit, go on at the next start');
  app.quit();
  await expect.poll(hasQuit).toBe(true);
  expect([dialog.shown[0]?.message, state.closed]).toEqual(['2 runs are under way. Quit Rowbench?', 1]);
});

it('waits until they have ended', async () => {
  const { app, dialog, state, guard, hasQuit } = start(1);
  dialog.presses.push('Quit when they have ended');
  app.quit();
  await expect.poll(() => dialog.shown.length).toBe(1);
  guard.runsChanged();
  expect([hasQuit(), state.closed]).toEqual([false, 0]);
  state.active = 0;
  guard.runsChanged();
  await expect.poll(hasQuit).toBe(true);
});

it('stays when the user says so, and asks again the next time', async () => {
  const { app, dialog, state, hasQuit } = start(1);
  app.quit();
  await expect.poll(() => dialog.shown.length).toBe(1);
  app.quit();
  await expect.poll(() => dialog.shown.length).toBe(2);
  expect([hasQuit(), state.closed]).toEqual([false, 0]);
});

it('asks nothing when the system shuts down', async () => {
  const { dialog, guard, state, hasQuit } = start(3);
  await guard.leave();
  await guard.leave();
  expect([hasQuit(), dialog.shown, state.closed]).toEqual([true, [], 1]);
});

it('installs a new version in place of quitting, with the same question', async () => {
  const { dialog, guard, state, hasQuit } = start(1);
  const done: string[] = [];
  dialog.presses.push('Cancel', 'Quit when they have ended');
  await guard.ask(() => done.push('install'));
  expect([done, state.closed]).toEqual([[], 0]);
  await guard.ask(() => done.push('install'));
  state.active = 0;
  guard.runsChanged();
  await expect.poll(() => done).toEqual(['install']);
  expect([hasQuit(), state.closed]).toEqual([false, 1]);
});
