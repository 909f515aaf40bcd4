// The order in which segments of several runs go to workers.
import { expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { SegmentQueue, type SegmentAttempt } from '../../../src-main/team/segments/segment-queue.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

const workflow = (concurrency: number, node = 'set, values: { n: "=row.n" }') => `rowbench: 1
id: flow
concurrency: ${concurrency}
nodes:
  - { id: input, type: input }
  - { id: step, type: ${node} }
  - { id: result, type: output, after: [step], fields: { n: "=row.n" } }
`;

async function openTeam(concurrency = 16, node?: string) {
  const { url } = await createTestDatabase();
  const openBackend = openTeamBackend({
    environment: { ROWBENCH_DATABASE_URL: url },
    name: 'one',
    slots: 0,
  });
  const server = await openTestServices({ flow: workflow(concurrency, node) }, { openBackend });
  const database = openPool(url);
  const queue = await SegmentQueue.open(database, { log: silentLog });
  onTestFinished(async () => {
    await queue.close();
    await database.close();
  });
  const start = (rows: number) =>
    server.start(
      'flow',
      Array.from({ length: rows }, (_, n) => ({ n })),
    );
  /** Takes all segments of the queue, without running them. */
  const fetchAll = async () => {
    const fetched: SegmentAttempt['data'][] = [];
    for (;;) {
      const attempt = await queue.fetch();
      if (attempt === undefined) return fetched;
      fetched.push(attempt.data);
    }
  };
  return { database, start, fetchAll };
}

it.skipIf(whyNoPostgres !== undefined)(
  'a large run makes later and smaller ones wait for its first rows alone',
  async () => {
    const { database, start, fetchAll } = await openTeam();
    const names = new Map<number, string>();
    for (const [name, rows] of [
      ['large', 25_000],
      ['later', 5_000],
      ['single', 2],
    ] as const) {
      const { runId } = await start(rows);
      const [run] = await database.query<{ owner: number }>(
        'select owner from rowbench.runs where run_id = $1',
        [runId],
      );
      names.set(run?.owner ?? 0, name);
    }
    const order = (await fetchAll()).map(({ owner, firstRow }) => ({ name: names.get(owner), firstRow }));
    expect(order[0]?.name).toBe('single');
    const others = order.slice(1);
    const atLarge = (rows: (firstRow: number) => boolean) =>
      others.filter(({ name, firstRow }) => name === 'large' && rows(firstRow));
    const firstOfLarge = atLarge((row) => row <= 10_000);
    const restOfLarge = atLarge((row) => row > 10_000);
    const later = others.filter(({ name }) => name === 'later');
    expect(restOfLarge.length).toBeGreaterThan(0);
    expect(others).toEqual([...firstOfLarge, ...later, ...restOfLarge]);
  },
);

it.skipIf(whyNoPostgres !== undefined).each([
  [1, 1],
  [2, 3],
])(
  'of a run with concurrency %i, workers get %i segments at the same time',
  async (concurrency, segments) => {
    const { start, fetchAll } = await openTeam(concurrency);
    await start(3_000);
    expect(await fetchAll()).toHaveLength(segments);
  },
);

it.skipIf(whyNoPostgres !== undefined).each([
  ['48,500 rows of expressions', 25, { rows: 48_500, inSegment: 2_000 }],
  ['40,000 rows of expressions', 40, { rows: 40_000, inSegment: 1_000 }],
  ['48,500 rows that run code', 49, { rows: 48_500, inSegment: 1_000, node: 'code, code: return 1;' }],
  ['48,500 rows that wait', 49, { rows: 48_500, inSegment: 1_000, node: 'delay, for: 1ms' }],
] as const)('%s are %i segments', async (_, segments, { rows, inSegment, ...more }) => {
  const { start, fetchAll } = await openTeam(16, 'node' in more ? more.node : undefined);
  await start(rows);
  const firstRows = (await fetchAll()).map(({ firstRow }) => firstRow).sort((one, other) => one - other);
  expect(firstRows).toEqual(Array.from({ length: segments }, (__, index) => index * inSegment + 1));
});
