// Exports of outputs whose fields differ, from each engine of the stores: all writers name the same columns.
import { describe, expect, it } from 'vitest';
import { exportFormats, type ExportOptions } from '../../../src-main/domain/rows/export/export-options.ts';
import { outputFormats, type OutputFormat } from '../../../src-main/domain/rows/export/output-writer.ts';
import type { JsonObject } from '../../../src-main/base/json-value.ts';
import { outputText } from '../../../src-main/services/results/output-text.ts';
import { firstLines, readOutputsOf } from '../../../src-main/services/runs/run-outputs.ts';
import { exportRun } from '../../../src-main/services/results/run-export.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { commitResults, done, hostileNames, type StoredRow } from '../../builders/rows-with-results.ts';
import { backends } from '../../builders/store-backends.ts';

const failed = (number: number): StoredRow => ({
  number,
  input: { number },
  state: 'failed',
  failure: { nodeId: 'check', message: 'no' },
});

const rowsOf = (...outputs: readonly (JsonObject | undefined)[]): StoredRow[] =>
  outputs.map((output, index) => (output === undefined ? failed(index + 1) : done(index + 1, {}, output)));

/** An object as JSON text has it: `__proto__` is a field like any other. */
const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;

const cases: readonly (readonly [title: string, rows: readonly StoredRow[], csv: string])[] = [
  ['of no rows', [], ''],
  ['of failed rows alone', [failed(1), failed(2)], ''],
  ['with a field that only the last row has', rowsOf({ a: 1 }, { a: 1, b: 2 }), 'a,b\n1,\n1,2\n'],
  ['whose fields have another order', rowsOf({ a: 1, b: 2 }, { b: 3, a: 4 }), 'a,b\n1,2\n4,3\n'],
  ['that are all empty', rowsOf({}, {}), '""\n""\n""\n'],
  ['of which some are empty', rowsOf({}, { a: 1 }, {}), 'a\n""\n1\n""\n'],
  ['with as many but other fields', rowsOf({ a: 1 }, undefined, { b: 2 }), 'a,b\n1,\n,2\n'],
  ['with nested values', rowsOf({ a: { x: [1] } }, { b: [null] }), 'a,b\n"{""x"":[1]}",\n,[null]\n'],
  [
    'with names of object members',
    rowsOf(json('{"__proto__":1,"":"x"}'), json('{"constructor":2,"toString":null}')),
    '__proto__,,constructor,toString\n1,x,,\n,,2,\n',
  ],
];

async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
  return text;
}

describe.each(backends)('outputs whose fields differ, in %s', (_, create) => {
  const opened = queriedStores(create);

  const exported = (runId: string, options: ExportOptions): Promise<string> => {
    const { runs, queries } = opened.stores;
    return textOf(exportRun({ store: runs, queries, runId, options }));
  };

  async function plain(runId: string, format: OutputFormat): Promise<string> {
    const { runs } = opened.stores;
    const stored = await runs.find(runId);
    if (stored === undefined) throw new Error('no run');
    return textOf(outputText(() => readOutputsOf(runs, stored.run), format));
  }

  it.each(cases)('outputs %s are CSV with the fields of all of them', async (_title, rows, csv) => {
    expect(await plain(await opened.store(rows), 'csv')).toBe(csv);
  });

  it('every writer has every field, whatever its name is', async () => {
    const runId = await opened.store(
      rowsOf({ a: 1 }, ...hostileNames.map((name) => json(`{${JSON.stringify(name)}:7}`))),
    );
    const header = `a,${hostileNames.map((name) => (/["',;]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')}\n`;
    for (const format of outputFormats)
      expect((await plain(runId, format)).match(/7/g), format).toHaveLength(hostileNames.length);
    for (const format of exportFormats)
      expect((await exported(runId, { format })).length, format).toBeGreaterThan(0);
    expect((await plain(runId, 'csv')).startsWith(header)).toBe(true);
    expect(await exported(runId, { format: 'csv' })).toBe(await plain(runId, 'csv'));
    expect(await exported(runId, { format: 'csv', delimiter: 'tab' })).toContain('a\tplain\ta.b');
  });

  it('a row with another field after 20,000 equal ones costs none of them', async () => {
    const equal = Array.from({ length: 20_000 }, (_value, index) => done(index + 1, {}, { a: index }));
    const runId = await opened.store([...equal, done(20_001, {}, { a: 1, late: 'x' })], {
      rowsInCommit: 1000,
    });
    const lines = (await plain(runId, 'csv')).split('\n');
    expect([lines.length, lines[0], lines[20_000], lines[20_001]]).toEqual([
      20_003,
      'a,late',
      '19999,',
      '1,x',
    ]);
  });

  it('rows that are committed between the two readings are in neither', async () => {
    const { runs } = opened.stores;
    const waiting = (number: number): StoredRow => ({ number, input: {}, state: undefined });
    const runId = await opened.store([...rowsOf({ a: 1 }, { b: 2 }), waiting(3), waiting(4)], {
      overrides: { status: 'running' },
    });
    let readings = 0;
    async function* read() {
      readings += 1;
      if (readings === 2)
        await commitResults(opened.stores, runId, [done(3, {}, { c: 3 }), done(4, {}, {})], 2);
      yield* firstLines(runs.readOutputs(runId), 2);
    }
    expect(await textOf(outputText(read, 'csv'))).toBe('a,b\n1,\n,2\n');
  });
});
