// The order in which segments of several runs go to workers.
import { expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/open-team-backend.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { SegmentQueue } from '../../../src-main/team/segment-queue.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

const workflow = `rowbench: 1
id: flow
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it.skipIf(whyNoPostgres !== undefined)(
  'a large run makes later and smaller ones wait for its first rows alone',
  async () => {
    const { url } = await createTestDatabase();
    const openBackend = openTeamBackend({
      environment: { ROWBENCH_DATABASE_URL: url },
      name: 'one',
      slots: 0,
    });
    const server = await openTestServices({ flow: workflow }, { openBackend });
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
    const order: { readonly name: string | undefined; readonly firstRow: number }[] = [];
    for (;;) {
      const attempt = await queue.fetch();
      if (attempt === undefined) break;
      order.push({ name: names.get(attempt.data.owner), firstRow: attempt.data.firstRow });
    }
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
