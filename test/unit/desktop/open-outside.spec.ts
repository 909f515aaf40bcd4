import { expect, it } from 'vitest';
import { outsideAddress } from '../../../src-main/app/shell/outside-address.ts';
import { createOpenOutside } from '../../../src-main/desktop/open-outside.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { recordedLog } from '../../builders/recorded-log.ts';
import { electronDouble } from '../../builders/electron-double.ts';

it.each([
  ...[
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-msdt:/id',
    'smb://host/share',
    'vbscript:x',
    '\\\\host\\share',
  ],
  ...['http://example.com/', 'https://user:word@example.com/', 'rowbench://runs/x', '', 'data:text/html,x'],
  `https://example.com/${'x'.repeat(2000)}`,
])('never opens %s', async (address) => {
  const double = electronDouble();
  double.dialog.presses.push('Open');
  await createOpenOutside({ ...double.parts, clock: new FakeClock(), log: silentLog })(address);
  expect([outsideAddress(address), double.opened, double.dialog.shown]).toEqual([undefined, [], []]);
});

it('opens what the user was shown and agreed to', async () => {
  const double = electronDouble();
  double.dialog.presses.push('Open');
  await createOpenOutside({ ...double.parts, clock: new FakeClock(), log: silentLog })(
    ' https:\\\\example.com/a b',
  );
  expect(double.dialog.shown[0]).toMatchObject({ detail: 'https://example.com/a%20b', defaultId: 1 });
  expect(double.opened).toEqual(['https://example.com/a%20b']);
});

it('opens nothing unless the user agrees, and asks about one at a time', async () => {
  const double = electronDouble();
  const open = createOpenOutside({ ...double.parts, clock: new FakeClock(), log: silentLog });
  await Promise.all([open('https://example.com/1'), open('https://example.com/2')]);
  expect([double.opened, double.dialog.shown.length]).toEqual([[], 1]);
});

it('asks three times a minute at most, however often a page asks, and logs once that it refuses', async () => {
  const { parts, dialog, opened } = electronDouble();
  const clock = new FakeClock();
  const { log, lines } = recordedLog();
  const open = createOpenOutside({ ...parts, clock, log });
  const flood = async (): Promise<void> => {
    for (let n = 0; n < 100; n += 1) await open(`https://evil.example/${n}`);
  };
  await flood();
  expect([dialog.shown.length, lines.length]).toEqual([3, 1]);
  clock.advance(59_999);
  await flood();
  expect([dialog.shown.length, lines.length]).toEqual([3, 1]);
  clock.advance(1);
  dialog.presses.push('Open');
  await flood();
  expect([dialog.shown.length, lines.length, opened]).toEqual([6, 2, ['https://evil.example/0']]);
});
