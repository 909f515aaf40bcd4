// The stores of a team's database with several servers, and with connections that are lost.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefusedForNow } from '../../../src-main/domain/store-errors.ts';
import { insertResults } from '../../../src-main/team/segments/insert-results.ts';
import { RowSetService } from '../../../src-main/services/rowsets/row-set-service.ts';
import type { Sql, TeamSql, Transaction } from '../../../src-main/team/sql.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import {
  linesOf,
  outputLine,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
  textOf,
} from '../../builders/stored-rows.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { openTeamStores } from '../../builders/team-stores.ts';

const text = 'rowbench: 1';
const workflowHash = createHash('sha256').update(text).digest('hex');
const lost = new Error('Connection terminated unexpectedly');

type TeamStores = Awaited<ReturnType<typeof openTeamStores>>;

describe.skipIf(whyNoPostgres !== undefined)('stores that several servers use', () => {
  let url: string;
  let sql: TeamSql;
  let [one, other]: TeamStores[] = [];

  beforeAll(async () => {
    ({ url } = await createTestDatabase());
    sql = openPool(url);
    one = await openTeamStores(openPool(url));
    other = await openTeamStores(openPool(url));
  });

  afterAll(async () => {
    await one?.close();
    await other?.close();
    await sql.close();
  });

  async function accept(stores: TeamStores, n: number, rows: number): Promise<void> {
    await stores.snapshots.put(workflowHash, text, 'workflow');
    const writer = await stores.runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, rows)) });
    await writer.commit(runOf(n, rows, { workflowHash }));
  }

  it('a run that one server accepted is read and removed by another, and its text is stored again', async () => {
    await accept(one!, 1, 2500);
    expect(await textOf(other!.runs.readRows(runIdOf(1)))).toBe(linesOf(rowLine, 1, 2500));
    await other!.runs.remove([runIdOf(1)], []);
    expect(await one!.runs.find(runIdOf(1))).toBeUndefined();
    expect(await one!.snapshots.get(workflowHash)).toBeUndefined();
    await accept(one!, 1, 3);
    expect(await other!.snapshots.get(workflowHash)).toBe(text);
  });

  it('a run whose text another server removes meanwhile is refused for now', async () => {
    const writer = await one!.runs.openRunWriter();
    const error = await writer
      .commit(runOf(2, 0, { workflowHash: '0'.repeat(64) }))
      .catch((each: unknown) => each);
    expect(isRefusedForNow(error)).toBe(true);
    expect(await one!.runs.find(runIdOf(2))).toBeUndefined();
  });

  it('a row set of one server is listed, renamed and removed by another', async () => {
    const writer = await one!.rowSets.openWriter();
    await writer.write(Buffer.from(rowLine(1)));
    const set = await writer.commit({
      workflowId: 'echo',
      name: 'mine',
      rows: 1,
      savedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(await other!.rowSets.list()).toEqual([set]);
    await other!.rowSets.save({ ...set, name: 'ours' });
    expect(await one!.rowSets.get(set.id)).toMatchObject({ name: 'ours' });
    await one!.rowSets.drop(set.id);
    expect(await other!.rowSets.list()).toEqual([]);
  });

  it('a removed row set can be brought back for a day, whichever servers start meanwhile', async () => {
    const clock = new FakeClock();
    const sets = new RowSetService({ store: one!.rowSets, clock });
    const keep = (name: string) =>
      sets.save({ workflowId: 'echo', name, replaces: true }, async (writer) => {
        await writer.write(Buffer.from(rowLine(1)));
        return 1;
      });
    const start = async (): Promise<void> => (await openTeamStores(openPool(url), clock)).close();
    const [replaced, removed] = [await keep('replaced'), await keep('removed')];
    const replacement = await keep('replaced');
    await sets.remove(removed.id);
    // An earlier version did not note when it removed a set.
    const old = await keep('old');
    await one!.rowSets.save({ ...old, removed: true });
    clock.advance(24 * 3_600_000 - 1);
    await start();
    expect((await other!.rowSets.list()).map(({ id }) => id)).toEqual([
      replaced.id,
      removed.id,
      replacement.id,
    ]);
    expect(await new RowSetService({ store: other!.rowSets, clock }).restore(removed.id)).toEqual(removed);
    clock.advance(2);
    await start();
    expect(await one!.rowSets.list()).toEqual([removed, replacement]);
    for (const { id } of [removed, replacement]) await one!.rowSets.drop(id);
  });

  it('rows that stopped arriving an hour ago are removed, and cannot be accepted any more', async () => {
    await one!.snapshots.put(workflowHash, text, 'workflow');
    const writer = await one!.runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, 2500)) });
    await expect.poll(() => sql.query('select from rowbench.orphans where is_arriving')).toHaveLength(1);
    await sql.run(`update rowbench.orphans set at = now() - interval '61 minutes'`);
    await other!.database.abandonRows(-1);
    await expect.poll(() => sql.query('select from rowbench.orphans')).toEqual([]);
    await expect(writer.commit(runOf(3, 2500, { workflowHash }))).rejects.toMatchObject({
      code: 'request_timeout',
    });
    expect(await one!.runs.find(runIdOf(3))).toBeUndefined();
  });

  it('results reach up to the first row without one, while counts and statistics have those of all segments', async () => {
    await accept(one!, 6, 2500);
    const [run] = await sql.query<{ owner: number }>('select owner from rowbench.runs where run_id = $1', [
      runIdOf(6),
    ]);
    const { owner } = run!;
    const commit = async (first: number, last: number): Promise<void> => {
      const { rows, outputs, states, trace } = resultsOf(first, last);
      await insertResults(sql, owner, { firstRow: first, rows, rowsFailed: 0, outputs, states, trace });
    };
    const statisticsOf = (rows: number): string =>
      JSON.stringify({ rows, nodes: [], pace: { startMs: 1000, everyMs: 100, rows: [rows] } });
    // The second segment has ended, the first one is under way.
    await commit(1001, 2000);
    await sql.query(
      `update rowbench.segments set state = 'done', rows_done = 1000 where owner = $1 and first_row = 1001`,
      [owner],
    );
    await sql.query('update rowbench.runs set rows_done = 1000, statistics = $2 where owner = $1', [
      owner,
      statisticsOf(1000),
    ]);
    await commit(1, 300);
    await sql.query(
      `update rowbench.segments set state = 'running', rows_done = 290, rows_failed = 10, statistics = $2
       where owner = $1 and first_row = 1`,
      [owner, statisticsOf(300)],
    );
    expect(await other!.database.read('extent', runIdOf(6))).toMatchObject({
      lastRow: 2500,
      lastResult: 300,
    });
    expect(await textOf(other!.runs.readOutputs(runIdOf(6)))).toBe(linesOf(outputLine, 1, 300));
    expect((await other!.runs.find(runIdOf(6)))?.counts).toEqual({ rowsDone: 1290, rowsFailed: 10 });
    expect(await other!.runs.readStatistics(runIdOf(6))).toMatchObject({
      rows: 1300,
      pace: { rows: [1300] },
    });
    await sql.query('update rowbench.runs set ended_at_ms = 1 where owner = $1', [owner]);
    expect(await other!.database.read('extent', runIdOf(6))).toMatchObject({ lastResult: 2000 });
  });

  /** Stores whose connection is lost in the transaction of the next acceptance. */
  async function openLosing(when: 'before the commit' | 'after the commit'): Promise<TeamStores> {
    const pool = openPool(url);
    const transaction = async <Result>(act: (each: Transaction) => Promise<Result>): Promise<Result> => {
      let isAcceptance = false;
      const result = await pool.transaction(async (each) => {
        const query: Sql['query'] = (statement, values) => {
          isAcceptance ||= statement.includes('into rowbench.runs') && statement.includes('run_snapshots');
          return each.query(statement, values);
        };
        const acted = await act({
          query,
          run: (statements) => each.run(statements),
          notify: (channel, payload) => each.notify(channel, payload),
        });
        if (isAcceptance && when === 'before the commit') throw lost;
        return acted;
      });
      if (isAcceptance) throw lost;
      return result;
    };
    return openTeamStores({
      transaction,
      query: (statement, values) => pool.query(statement, values),
      run: (statements) => pool.run(statements),
      listen: (listeners, onReconnect) => pool.listen(listeners, onReconnect),
      close: () => pool.close(),
    });
  }

  it('a run whose commit was answered by no message is accepted', async () => {
    const losing = await openLosing('after the commit');
    await accept(losing, 4, 10);
    expect(await textOf(one!.runs.readRows(runIdOf(4)))).toBe(linesOf(rowLine, 1, 10));
    await losing.close();
  });

  it('a run whose connection was lost before the commit is refused for now, and leaves nothing', async () => {
    const losing = await openLosing('before the commit');
    const error = await accept(losing, 5, 10).catch((each: unknown) => each);
    expect(isRefusedForNow(error)).toBe(true);
    expect(await one!.runs.find(runIdOf(5))).toBeUndefined();
    await losing.close();
  });
});
