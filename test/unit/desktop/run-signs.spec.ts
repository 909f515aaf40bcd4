import { describe, expect, it } from 'vitest';
import { appMenu } from '../../../src-main/desktop/app-menu.ts';
import { EndNotices, gatherMs, noticeOf, type Notice } from '../../../src-main/app/shell/end-notices.ts';
import { RunSigns } from '../../../src-main/desktop/watch-runs.ts';
import { RunWatch, summaryText } from '../../../src-main/app/shell/run-watch.ts';
import { electronDouble } from '../../builders/electron-double.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { runView } from '../../builders/run-view.ts';

const view = (runId: string, fields: Parameters<typeof runView>[0]) =>
  runView({ runId, rowsDone: 0, ...fields });

it('counts active and paused runs, and how far the active ones are', () => {
  const ended: string[] = [];
  const watch = new RunWatch(({ runId }) => ended.push(runId));
  watch.hear(view('a', { status: 'running', rowsDone: 5 }));
  watch.hear(view('b', { status: 'queued' }));
  watch.hear(view('c', { status: 'paused' }));
  watch.hear(view('old', { status: 'completed' }));
  expect(watch.summary).toEqual({ active: 2, paused: 1, progress: 0.25 });
  expect(summaryText(watch.summary)).toBe('2 runs active, 1 paused');
  watch.hear(view('a', { status: 'failed' }));
  watch.forget('b');
  expect([watch.summary.active, ended]).toEqual([0, ['a']]);
});

it('shows runs in the tray, on the dock, and keeps the machine awake meanwhile', () => {
  const { parts, trays, blockers } = electronDouble();
  const progress: number[] = [];
  const done: string[] = [];
  const signs = new RunSigns({
    ...parts,
    window: { setProgress: (value) => progress.push(value) },
    icon: '/icon.png',
    verbs: {
      open: () => done.push('open'),
      pauseAll: () => done.push('pause'),
      quit: () => done.push('quit'),
    },
  });
  signs.show({ active: 1, paused: 0, progress: 0.5 });
  expect([trays[0]?.toolTip, blockers.size]).toEqual(['Rowbench: 1 run active', 1]);
  for (const { click } of trays[0]?.menu ?? []) click?.(undefined as never, undefined, undefined as never);
  trays[0]?.fire('click');
  signs.show({ active: 0, paused: 0, progress: 0 });
  expect([progress, blockers.size, done]).toEqual([[0.5, -1], 0, ['open', 'pause', 'quit', 'open']]);
  signs.remove();
  expect(trays[0]?.isGone).toBe(true);
});

describe('notifications', () => {
  it('tell of one run by name, and of many that end together once', () => {
    const clock = new FakeClock();
    const shown: Notice[] = [];
    const notices = new EndNotices(clock, (notice) => shown.push(notice));
    notices.add(view('a', { workflowId: 'ask', status: 'completed', rowsDone: 10 }));
    clock.advance(gatherMs);
    for (let n = 0; n < 100; n += 1) notices.add(view(`r${n}`, { status: n < 7 ? 'failed' : 'completed' }));
    notices.add(view('skipping', { rowsDone: 9, rowsFailed: 1 }));
    clock.advance(gatherMs);
    expect(shown).toEqual([
      { title: 'ask: Completed', body: '10 of 10 rows done', path: '/runs/a' },
      { title: '101 runs ended', body: '8 with failures', path: '/runs' },
    ]);
  });

  it('say how many rows of a run failed', () => {
    const titleOf = (fields: Parameters<typeof runView>[0]) => noticeOf([view('a', fields)]).title;
    expect(titleOf({ rowsDone: 9, rowsFailed: 1 })).toBe('flow: Completed, 1 failed');
    expect(titleOf({ rowsFailed: 10 })).toBe('flow: All rows failed');
    expect(noticeOf([view('a', {}), view('b', {})]).body).toBe('None has failures');
  });

  it('cut an error that is too long', () => {
    expect(noticeOf([view('a', { status: 'failed', error: 'x'.repeat(5000) })]).body.length).toBe(201);
  });
});

it.each([true, false])('the menu has every verb, on macOS: %s', (isMac) => {
  const done: string[] = [];
  const menu = appMenu(
    {
      go: (path) => done.push(path),
      importWorkflow: () => done.push('import'),
      showDataFolder: () => done.push('folder'),
      explainSecrets: () => done.push('secrets'),
      about: () => done.push('about'),
      lookForUpdates: () => done.push('updates'),
      opensAtLogin: false,
      openAtLogin: (isOn) => done.push(`login ${isOn}`),
    },
    isMac,
  );
  const items = menu.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  for (const { click } of items) click?.({ checked: true } as never, undefined, undefined as never);
  expect(done.sort()).toEqual(
    [
      '/runs',
      '/workflows',
      '/log',
      '/keys',
      '/settings',
      'import',
      'folder',
      'secrets',
      'about',
      'updates',
      'login true',
    ].sort(),
  );
  expect(items.filter(({ role }) => role === 'quit').length).toBe(1);
  const accelerators = items.flatMap(({ accelerator }) => accelerator ?? []);
  expect(new Set(accelerators).size).toBe(accelerators.length);
});
