// Spreadsheets are read by a process of their own, whatever they do to it.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { SheetProcess, type SheetProcessOptions } from '../../../src-main/executor/parser/sheet-process.ts';
import { smallWorkbook } from '../../builders/small-workbook.ts';

const script = fileURLToPath(new URL('../../../dist/sheet-reader.cjs', import.meta.url));

function startReader(options: Partial<SheetProcessOptions> = {}): SheetProcess {
  const reader = new SheetProcess({ script, clock: systemClock, ...options });
  onTestFinished(() => reader.close());
  return reader;
}

const cell = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const rows = `<row>${cell('name')}</row><row>${cell('Ada')}</row>`;

describe('the process that reads spreadsheets', () => {
  it('answers with the rows of one file after the other', async () => {
    const reader = startReader();
    const bytes = await smallWorkbook({ sheets: [{ name: 'Rows', rows }] });
    const answers = await Promise.all([1, 2].map(() => reader.read({ types: [], bytes })));
    for (const answer of answers)
      expect(answer).toMatchObject({ type: 'rows', lines: Buffer.from('{"name":"Ada"}\n') });
  });

  it('takes a file of 100,000 rows', async () => {
    const reader = startReader();
    const many = `<row>${cell('name')}</row>${`<row>${cell('Ada')}</row>`.repeat(100_000)}`;
    const bytes = await smallWorkbook({ sheets: [{ name: 'Rows', rows: many }] });
    const answer = await reader.read({ types: [], bytes });
    expect(answer.type === 'rows' && answer.lines.length).toBe(100_000 * '{"name":"Ada"}\n'.length);
  });

  it('has no way to the network in its program', async () => {
    const text = await readFile(script, 'utf8');
    expect(text).not.toMatch(/node:(http|https|tls|dns|dgram|child_process|worker_threads)/);
  });
});
