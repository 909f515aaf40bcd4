import { expect, it } from 'vitest';
import { outsideAddress } from '../../../src-main/app/shell/outside-address.ts';
import { createOpenOutside } from '../../../src-main/desktop/open-outside.ts';
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
  await createOpenOutside(double.parts)(address);
  expect([outsideAddress(address), double.opened, double.dialog.asked]).toEqual([undefined, [], []]);
});

it('opens what the user was shown and agreed to', async () => {
  const double = electronDouble();
  double.dialog.presses.push('Open');
  await createOpenOutside(double.parts)(' https:\\\\example.com/a b');
  expect(double.dialog.asked[0]).toMatchObject({ detail: 'https://example.com/a%20b', defaultId: 1 });
  expect(double.opened).toEqual(['https://example.com/a%20b']);
});

it('opens nothing unless the user agrees, and asks about one at a time', async () => {
  const double = electronDouble();
  const open = createOpenOutside(double.parts);
  await Promise.all([open('https://example.com/1'), open('https://example.com/2')]);
  expect([double.opened, double.dialog.asked.length]).toEqual([[], 1]);
});
