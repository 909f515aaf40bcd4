// The ports of stored runs: rows as they arrive, and as they are read back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { RunStore } from '../../../src-main/storage/runs/run-store.ts';
import { backends, storesOfTests, type BackendStores } from '../../builders/store-backends.ts';
import { linesOf, rowLine, runIdOf, runOf, textOf } from '../../builders/stored-rows.ts';

describe.each(backends)('rows of runs in %s', (_, create) => {
  const { openStore: openEmptyStore } = storesOfTests(create);

  async function openStore(): Promise<BackendStores> {
    const stores = await openEmptyStore();
    await stores.database.write('putSnapshot', 'a'.repeat(64), 'workflow', 'rowbench: 1');
    return stores;
  }

  async function accept(
    runs: RunStore,
    run: Run,
    ...pieces: readonly (string | Uint8Array)[]
  ): Promise<void> {
    const writer = await runs.openRunWriter();
    for (const piece of pieces) await writer.append({ bytes: Buffer.from(piece) });
    await writer.commit(run);
  }

  /** The batches of a first reader, which may have rows in memory; a later one, which has none, must get the same. */
  async function batchesOf(...args: Parameters<typeof readBatches>) {
    const batches = await readBatches(...args);
    expect(await readBatches(...args)).toEqual(batches);
    return batches;
  }

  async function readBatches(runs: RunStore, run: Run, afterRow: number, maxRows: number, maxBytes: number) {
    const reader = runs.openReader(run, afterRow);
    const batches: { firstRow: number; rows: number; text: string }[] = [];
    for (
      let batch = await reader.next(maxRows, maxBytes);
      batch;
      batch = await reader.next(maxRows, maxBytes)
    )
      batches.push({
        firstRow: batch.firstRow,
        rows: batch.rows,
        text: Buffer.from(batch.bytes).toString(),
      });
    await reader.close();
    return batches;
  }

  it('a run exists once its rows are committed, and not before', async () => {
    const { runs } = await openStore();
    const writer = await runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(rowLine(1)) });
    expect([await runs.list({}), await runs.find(runIdOf(1))]).toEqual([[], undefined]);
    await writer.commit(runOf(1, 1));
    expect(await runs.find(runIdOf(1))).toEqual({
      run: runOf(1, 1),
      counts: { rowsDone: 0, rowsFailed: 0 },
    });
  });

  it('rows come back as they arrived, however they were cut into pieces', async () => {
    const { runs } = await openStore();
    const line = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(3))
      .map(([text, times]) => `${JSON.stringify({ text: text.repeat(10 ** times) })}\n`);
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 100, max: 100_000 }),
        fc.boolean(),
        async (lines, size, isEnded) => {
          const bytes = Buffer.from(isEnded ? lines.join('') : lines.join('').slice(0, -1));
          const run = runOf((n += 1), lines.length);
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (__, index) =>
            bytes.subarray(index * size, (index + 1) * size),
          );
          await accept(runs, run, ...pieces.slice(0, 2000), bytes.subarray(2000 * size));
          expect(await textOf(runs.readRows(run.runId))).toBe(lines.join(''));
          const batches = await batchesOf(runs, run, 0, 256, 1e6);
          expect(batches.map(({ text }) => text).join('')).toBe(lines.join(''));
        },
      ),
      { numRuns: 10 },
    );
  });

  it('thousands of rows come back in order, whole or from any row on', async () => {
    const { runs } = await openStore();
    const rows = 12_345;
    const text = linesOf(rowLine, 1, rows);
    const size = 777;
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (__, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    await accept(runs, runOf(1, rows), ...pieces);
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe(text);
    for (const afterRow of [0, 1, 999, 1000, 1001, 7654, rows - 1]) {
      const batches = await batchesOf(runs, runOf(1, rows), afterRow, 256, 1e6);
      expect(batches[0]?.firstRow).toBe(afterRow + 1);
      expect(batches.map((batch) => batch.text).join('')).toBe(linesOf(rowLine, afterRow + 1, rows));
    }
    expect(await batchesOf(runs, runOf(1, rows), rows, 256, 1e6)).toEqual([]);
  });

  it('a row reader keeps to its bounds in rows and bytes', async () => {
    const { runs } = await openStore();
    await accept(runs, runOf(1, 1000), linesOf(rowLine, 1, 1000));
    const batches = await batchesOf(runs, runOf(1, 1000), 0, 7, 100);
    let row = 1;
    for (const { firstRow, rows, text } of batches) {
      expect([firstRow, text]).toEqual([row, linesOf(rowLine, row, row + rows - 1)]);
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThanOrEqual(7);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100);
      row += rows;
    }
    expect(row).toBe(1001);
  });

  it('a row of 6 MB that arrives in small pieces comes back whole, between its neighbours', async () => {
    const { runs } = await openStore();
    const large = `{"text":"${'é'.repeat(3_000_000)}"}\n`;
    const bytes = Buffer.from(`{"row":1}\n${large}{"row":3}\n${large}`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (__, index) =>
      bytes.subarray(index * 65_536, (index + 1) * 65_536),
    );
    await accept(runs, runOf(1, 4), ...pieces);
    const read = await textOf(runs.readRows(runIdOf(1)));
    expect(read === bytes.toString()).toBe(true);
    const batches = await batchesOf(runs, runOf(1, 4), 0, 256, 1000);
    expect(batches.map(({ firstRow, rows, text }) => [firstRow, rows, text.length])).toEqual([
      [1, 1, 10],
      [2, 1, large.length],
      [3, 1, 10],
      [4, 1, large.length],
    ]);
    expect(await batchesOf(runs, runOf(1, 4), 2, 256, 1000)).toHaveLength(2);
  });

  it('the last runs of one batch have their rows in memory for one reader, and no longer once they are removed', async () => {
    const { runs, database } = await openStore();
    for (let n = 1; n <= 10; n += 1) await accept(runs, runOf(n, 2), linesOf(rowLine, n, n + 1));
    await accept(runs, runOf(11, 1001), linesOf(rowLine, 1, 1001));
    await runs.remove([runIdOf(10)], []);
    const stored = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11];
    await database.removeRuns(stored.map(runIdOf), []);
    await runs.swept();
    const textsOf = (n: number, rows: number): Promise<string> =>
      readBatches(runs, runOf(n, rows), 0, 256, 1e6).then(
        (batches) => batches.map(({ text }) => text).join(''),
        ({ code }: { code: string }) => code,
      );
    for (const n of [1, 2, 10]) expect(await textsOf(n, 2)).toBe('run_not_found');
    expect(await textsOf(11, 1001)).toBe('run_not_found');
    for (let n = 3; n <= 9; n += 1) expect(await textsOf(n, 2)).toBe(linesOf(rowLine, n, n + 1));
    expect(await textsOf(9, 2)).toBe('run_not_found');
  });

  it('a carriage return before the newline belongs to its row', async () => {
    const { runs } = await openStore();
    await accept(runs, runOf(1, 2), '{"row":1}\r\n{"row":2}\r\n');
    expect(await batchesOf(runs, runOf(1, 2), 0, 256, 1000)).toEqual([
      { firstRow: 1, rows: 2, text: '{"row":1}\r\n{"row":2}\r\n' },
    ]);
  });

  it('a run may have no rows', async () => {
    const { runs } = await openStore();
    await accept(runs, runOf(1, 0));
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe('');
    expect(await batchesOf(runs, runOf(1, 0), 0, 256, 1000)).toEqual([]);
    expect(await textOf(runs.readOutputs(runIdOf(1), 0))).toBe('');
  });

  it('the bytes of a piece are the caller’s again once it is taken', async () => {
    const { runs } = await openStore();
    const writer = await runs.openRunWriter();
    const buffer = Buffer.alloc(rowLine(1).length + 1);
    for (const row of [1, 2]) await writer.append({ bytes: buffer.subarray(0, buffer.write(rowLine(row))) });
    await writer.commit(runOf(1, 2));
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe(linesOf(rowLine, 1, 2));
  });

  it('an abandoned intake leaves nothing behind, and may be abandoned twice', async () => {
    const { runs } = await openStore();
    const before = await runs.usedBytes();
    const writer = await runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, 5000)) });
    await writer.abandon();
    await writer.abandon();
    expect(await runs.list({})).toEqual([]);
    // An engine may keep a page or two that were never needed before.
    await expect.poll(() => runs.usedBytes()).toBeLessThanOrEqual(before + 50_000);
  });

  it('a committed run stays when its intake is abandoned', async () => {
    const { runs } = await openStore();
    const writer = await runs.openRunWriter();
    await writer.commit(runOf(1, 0));
    await writer.abandon();
    expect(await runs.list({})).toHaveLength(1);
  });

  it('two runs whose rows arrive at once keep their own', async () => {
    const { runs } = await openStore();
    const writers = [await runs.openRunWriter(), await runs.openRunWriter()];
    for (let row = 1; row <= 3000; row += 1)
      for (const [index, writer] of writers.entries())
        await writer.append({ bytes: Buffer.from(`{"run":${index},"row":${row}}\n`) });
    for (const [index, writer] of writers.entries()) await writer.commit(runOf(index + 1, 3000));
    for (const index of [0, 1])
      expect(await textOf(runs.readRows(runIdOf(index + 1)))).toBe(
        linesOf((row) => `{"run":${index},"row":${row}}\n`, 1, 3000),
      );
  });

  describe('row numbers and reused values', () => {
    const numberOf = (row: number): number => row * 1000 + 7;
    const reusedLine = (row: number): string => (row % 2 === 0 ? `[["node",${row}]]\n` : '\n');

    async function acceptNumbered(rows: number): Promise<BackendStores> {
      const stores = await openStore();
      const writer = await stores.runs.openRunWriter();
      for (let row = 1; row <= rows; row += 1)
        await writer.append({
          bytes: Buffer.from(rowLine(row)),
          numbers: [numberOf(row)],
          reused: Buffer.from(reusedLine(row)),
        });
      await writer.commit(runOf(1, rows));
      return stores;
    }

    it('rows have their numbers and reused values, wherever reading begins', async () => {
      const { runs } = await acceptNumbered(2500);
      for (const afterRow of [0, 41, 1000, 2499]) {
        const reader = runs.openReader(runOf(1, 2500), afterRow);
        let row = afterRow + 1;
        for (let batch = await reader.next(30, 1e6); batch; batch = await reader.next(30, 1e6)) {
          const last = row + batch.rows - 1;
          expect(batch.firstRow).toBe(row);
          expect(Buffer.from(batch.bytes).toString()).toBe(linesOf(rowLine, row, last));
          expect(batch.numbers).toEqual(Array.from({ length: batch.rows }, (__, n) => numberOf(row + n)));
          expect(Buffer.from(batch.reusedValues ?? []).toString()).toBe(linesOf(reusedLine, row, last));
          row = last + 1;
        }
        expect(row).toBe(2501);
        await reader.close();
      }
    });

    it('a row is found by its number', async () => {
      const { runs } = await acceptNumbered(2500);
      for (const row of [1, 2, 1000, 1001, 2500])
        expect(await runs.positionOf(runIdOf(1), numberOf(row))).toBe(row);
      for (const number of [1, numberOf(1) - 1, numberOf(1000) + 1, numberOf(2500) + 1])
        expect(await runs.positionOf(runIdOf(1), number)).toBeUndefined();
      expect(await runs.readRowNumbers(runIdOf(1), 999, 3)).toEqual([999, 1000, 1001].map(numberOf));
    });

    it('numbers may be given before the rows arrive', async () => {
      const { runs } = await openStore();
      const writer = await runs.openRunWriter();
      const numbers = Array.from({ length: 2500 }, (__, index) => numberOf(index + 1));
      writer.setNumbers(numbers);
      const bytes = Buffer.from(linesOf(rowLine, 1, 2500));
      for (let at = 0; at < bytes.length; at += 1000)
        await writer.append({ bytes: bytes.subarray(at, at + 1000) });
      await writer.commit(runOf(1, 2500));
      const found: number[] = [];
      for await (const piece of runs.readRows(runIdOf(1))) found.push(...(piece.numbers ?? []));
      expect(found).toEqual(numbers);
      expect(await textOf(runs.readRows(runIdOf(1)))).toBe(bytes.toString());
    });
  });
});
