// Calls that share a transaction, and the outcome of each call when the transaction fails.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeAnswers } from '../../../src-main/storage/sqlite/answer-calls.ts';
import type { Answer } from '../../../src-main/storage/sqlite/call-methods.ts';
import { openForWriting, type Database } from '../../../src-main/storage/sqlite/open-database.ts';
import { migrate } from '../../../src-main/storage/sqlite/schema.ts';
import type { ThreadCall } from '../../../src-main/storage/sqlite/thread-messages.ts';
import { linesOf, rowLine, runOf } from '../../builders/stored-rows.ts';

const ioError = 10;
const full = 13;

type Ground = { readonly answer: Answer; readonly commits: () => number; readonly rowsStored: () => number };

/** A store on a real file, whose commits fail with these result codes, one each; undefined: it succeeds. */
async function createStore(failures: (number | undefined)[] = []): Promise<Ground> {
  const database = await openForWriting(join(await mkdtemp(join(tmpdir(), 'rowbench-test-')), 'rowbench.db'));
  onTestFinished(() => database.close());
  migrate(database);
  database.exec(`insert into snapshots values ('${workflowHash}', 'workflow', 'rowbench: 1')`);
  let commits = 0;
  const failing: Pick<Database, 'exec' | 'prepare' | 'isTransaction'> = {
    get isTransaction() {
      return database.isTransaction;
    },
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => {
      if (sql === 'commit') {
        commits += 1;
        const errcode = failures.shift();
        if (errcode !== undefined) throw Object.assign(new Error('a planted failure'), { errcode });
      }
      database.exec(sql);
    },
  };
  return {
    answer: writeAnswers(failing as Database),
    commits: () => commits,
    rowsStored: () =>
      (database.prepare('select total(rows) as rows from row_batches').get() as { rows: number }).rows,
  };
}

const workflowHash = 'a'.repeat(64);
const owner = 1;
const batchOf = (firstRow: number) => ({
  firstRow,
  rows: 2,
  lines: Buffer.from(linesOf(rowLine, firstRow, firstRow + 1)),
});
const call = (id: number, method: string, ...args: readonly unknown[]): ThreadCall => ({ id, method, args });
const stage = (id: number, firstRow: number) =>
  call(id, 'stageRows', { owner, batches: [batchOf(firstRow)] });
const accept = (id: number) =>
  call(id, 'acceptRun', { owner, batches: [batchOf(3)] }, runOf(1, 4, { workflowHash }));

it('a run that is accepted once more after a commit failed keeps rows that a sweep came across', async () => {
  const { answer, rowsStored } = await createStore([undefined, full]);
  answer([stage(1, 1)]);
  const replies = answer([call(2, 'sweep'), accept(3)]);
  expect(replies.filter((reply) => 'failure' in reply)).toEqual([]);
  for (let id = 4; id < 8; id += 1) answer([call(id, 'sweep')]);
  expect(rowsStored()).toBe(4);
});

it('rows of an accepted run are removed once the run is', async () => {
  const { answer, rowsStored } = await createStore();
  answer([stage(1, 1)]);
  answer([accept(2)]);
  answer([call(3, 'sweep')]);
  answer([call(4, 'removeRuns', [runOf(1, 4).runId], [])]);
  answer([call(5, 'sweep')]);
  expect(rowsStored()).toBe(0);
});

it('calls whose commit the disk failed are not tried again', async () => {
  const { answer, commits, rowsStored } = await createStore([ioError]);
  const failure = { kind: 'sqlite', errcode: ioError, message: 'a planted failure' };
  expect(answer([stage(1, 1), stage(2, 3)])).toEqual([
    { id: 1, failure },
    { id: 2, failure },
  ]);
  expect([commits(), rowsStored()]).toEqual([1, 0]);
});

it('calls that do not fit together are tried alone, and only those fail that must', async () => {
  const { answer, rowsStored } = await createStore([full, undefined, full]);
  expect(answer([stage(1, 1), stage(2, 3)])).toEqual([
    { id: 1, value: undefined },
    { id: 2, failure: { kind: 'sqlite', errcode: full, message: 'a planted failure' } },
  ]);
  expect(rowsStored()).toBe(2);
});
