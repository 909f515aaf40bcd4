import { expect, it } from 'vitest';
import { explainStart } from '../../../src-main/app/shell/explain-start.ts';
import { askWayOut } from '../../../src-main/desktop/start-desktop.ts';
import { dataFolderLocked, dataUnreadable } from '../../../src-main/domain/store-errors.ts';
import { portTaken } from '../../../src-main/domain/request-errors.ts';
import { electronDouble } from '../../builders/electron-double.ts';

const fault = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

it.each([
  [
    portTaken(4170, '127.0.0.1', fault('EADDRINUSE')),
    'Another program has the port of Rowbench',
    'Use another port this time',
  ],
  [dataFolderLocked('/d', 5), 'Another Rowbench has the data folder', 'Choose another folder…'],
  [dataUnreadable('keys.json'), 'Stored data cannot be read', 'Choose another folder…'],
  [
    dataUnreadable('the folder', fault('EACCES')),
    'Rowbench may not use the data folder',
    'Choose another folder…',
  ],
  [
    dataUnreadable('the folder', dataUnreadable('x', fault('EROFS'))),
    'The data folder is read-only',
    'Choose another folder…',
  ],
  [new Error('odd'), 'Rowbench could not start', 'Choose another folder…'],
])('explains "%s" and offers a way out', (error, message, way) => {
  const explained = explainStart(error, '/d');
  expect(explained.message).toBe(message);
  expect(explained.detail).toContain(error.message.slice(0, 20));
  expect(explained.choices.map(({ label }) => label)).toEqual(['Try again', way, 'Quit']);
});

it('does what the user chooses', async () => {
  const { dialog, parts } = electronDouble();
  const taken = portTaken(4170, '::1');
  const locked = dataFolderLocked('/d', undefined);
  dialog.presses.push('Try again', 'Use another port this time', 'Choose another folder…');
  dialog.picks.push('/other');
  expect([
    await askWayOut(parts.dialog, taken, '/d'),
    await askWayOut(parts.dialog, taken, '/d'),
    await askWayOut(parts.dialog, locked, '/d'),
    await askWayOut(parts.dialog, locked, '/d'),
  ]).toEqual([
    { kind: 'again' },
    { kind: 'other-port' },
    { kind: 'other-folder', dataDir: '/other' },
    { kind: 'quit' },
  ]);
});

it('asks again when no folder was picked', async () => {
  const { dialog, parts } = electronDouble();
  dialog.presses.push('Choose another folder…', 'Quit');
  expect(await askWayOut(parts.dialog, new Error('x'), '/d')).toEqual({ kind: 'quit' });
  expect(dialog.shown.length).toBe(2);
});
