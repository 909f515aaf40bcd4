import { describe, expect, it } from 'vitest';
import type {
  Call,
  Column,
  ColumnStatistics,
  StatisticsInput,
} from '../../../../../src-main/contract/index.ts';
import { StatisticsLoader } from '../../../../../src-renderer/state/run/rows/column-statistics.svelte.ts';

const column = (name: string): Column => ({ of: 'input', name });
const statistics = (of: Column): ColumnStatistics => ({
  column: of,
  rows: 1,
  filled: 1,
  empty: 0,
  nulls: 0,
  missing: 0,
  large: 0,
  types: { text: 1 },
  distinct: 1,
  top: [],
});

/** A loader whose server reads the run until `isReady` is set. */
function loader() {
  const server = { isReady: false, requests: 0 };
  const call = (async (_: string, { columns }: StatisticsInput) => {
    server.requests += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return server.isReady
      ? { isReady: true, statistics: columns.map(statistics) }
      : { isReady: false, rowsRead: 4, rows: 10 };
  }) as Call;
  const problems: unknown[] = [];
  const onProblem = (error: unknown): void => void problems.push(error);
  return { server, problems, loaded: new StatisticsLoader({ call, rows: { runId: 'r' }, onProblem }) };
}

describe('statistics of visible columns', () => {
  it('arrive after the progress of the reading', async () => {
    const { server, problems, loaded } = loader();
    loaded.show([column('a')]);
    await expect.poll(() => loaded.progressOf(column('a'))).toMatchObject({ rowsRead: 4, rows: 10 });
    expect(loaded.progressOf(column('b'))).toBeUndefined();
    server.isReady = true;
    await expect.poll(() => loaded.of(column('a'))).toEqual(statistics(column('a')));
    expect(loaded.progressOf(column('a'))).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it.each([
    ['its columns leave the view', (loaded: StatisticsLoader) => loaded.show([])],
    ['the user leaves the run', (loaded: StatisticsLoader) => loaded.close()],
  ])('are asked for no longer once %s', async (_, leave) => {
    const { server, loaded } = loader();
    loaded.show([column('a')]);
    await expect.poll(() => server.requests).toBeGreaterThan(1);
    leave(loaded);
    await expect.poll(() => loaded.progressOf(column('a'))).toBeUndefined();
    const { requests } = server;
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests).toBe(requests);
  });

  it('of columns that left the view give way to those that came into it', async () => {
    const { server, loaded } = loader();
    loaded.show([column('a')]);
    await expect.poll(() => loaded.progressOf(column('a'))).toBeDefined();
    loaded.show([column('b')]);
    await expect.poll(() => loaded.progressOf(column('b'))).toBeDefined();
    server.isReady = true;
    await expect.poll(() => loaded.of(column('b'))).toBeDefined();
    expect(loaded.of(column('a'))).toBeUndefined();
  });
});
