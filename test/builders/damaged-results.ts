// A stored run, a part of which was changed behind the store's back: other bytes with the old checksum. The store may be
// open meanwhile.
import { join } from 'node:path';
import { databaseName } from '../../src-main/storage/run-database.ts';
import { openForWriting } from '../../src-main/storage/sqlite/open-database.ts';
import { batchId } from '../../src-main/storage/sqlite/schema.ts';

const columns = {
  rows: ['row_batches', 'lines'],
  numbers: ['row_batches', 'numbers'],
  reused: ['row_batches', 'reused'],
  outputs: ['output_batches', 'outputs'],
  states: ['output_batches', 'states'],
  traces: ['output_batches', 'trace'],
} as const;
export type DamagedPart = keyof typeof columns | 'record' | 'pieces';

/** Flips a bit in the part of each of the run's batches, or in its record. */
export async function damageResults(dataDir: string, runId: string, part: DamagedPart): Promise<void> {
  await changeStore(dataDir, runId, ({ database, first, last, number }) => {
    if (part === 'record') {
      database
        .prepare(`update runs set record = replace(record, '"version":1', '"version":2') where number = ?`)
        .run(number);
      return;
    }
    const [table, column] = part === 'pieces' ? ['pieces', 'bytes'] : columns[part];
    const key = part === 'pieces' ? 'rowid' : 'id';
    const batch = part === 'pieces' ? 'batch' : 'id';
    const found = database
      .prepare(
        `select ${key} as key, ${column} as bytes from ${table}
         where ${batch} > ? and ${batch} < ? and ${column} is not null`,
      )
      .all(first, last) as { key: number; bytes: Uint8Array }[];
    if (found.length === 0) throw new Error(`the run ${runId} has no ${part}`);
    for (const { key: id, bytes } of found) {
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      database.prepare(`update ${table} set ${column} = ? where ${key} = ?`).run(bytes, id);
    }
  });
}

/** Takes the run's outputs away from the batch on that begins with that row. */
export const loseOutputs = (dataDir: string, runId: string, fromRow = 1): Promise<void> =>
  changeStore(dataDir, runId, ({ database, first, last }) =>
    database.prepare('delete from output_batches where id >= ? and id < ?').run(first + fromRow, last),
  );

type Change = {
  readonly database: Awaited<ReturnType<typeof openForWriting>>;
  readonly number: number;
  /** Ids of the run's batches lie between these. */
  readonly first: number;
  readonly last: number;
};

async function changeStore(
  dataDir: string,
  runId: string,
  change: (store: Change) => unknown,
): Promise<void> {
  const database = await openForWriting(join(dataDir, databaseName));
  try {
    const { number } = database.prepare('select number from runs where run_id = ?').get(runId) as {
      number: number;
    };
    change({ database, number, first: batchId(number, 0), last: batchId(number + 1, 0) });
  } finally {
    database.close();
  }
}
