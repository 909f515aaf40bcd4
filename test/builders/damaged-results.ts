// Changes a part of a stored run without the store: other bytes under the old checksum. The store may be open
// meanwhile.
import { batchId } from '../../src-main/storage/sqlite/checksums.ts';
import { queryDatabase } from './query-database.ts';

const columns = {
  rows: ['row_batches', 'lines'],
  numbers: ['row_batches', 'numbers'],
  reused: ['row_batches', 'reused'],
  outputs: ['output_batches', 'outputs'],
  states: ['output_batches', 'states'],
  traces: ['output_batches', 'trace'],
} as const;
export type DamagedPart = keyof typeof columns | 'record';

/** Changes a bit of that part of each of the run's batches, or of its record. */
export async function damageResults(dataDir: string, runId: string, part: DamagedPart): Promise<void> {
  if (part === 'record') {
    const changed = `replace(record, '"version":1', '"version":2')`;
    await queryDatabase(dataDir, [`update runs set record = ${changed} where run_id = ?`, runId]);
    return;
  }
  const [table, column] = columns[part];
  const [first, last] = await batchesOf(dataDir, runId);
  const [changed = []] = await queryDatabase(dataDir, [
    `update ${table} set ${column} = flip(${column}) where id > ? and id < ? and ${column} is not null returning id`,
    first,
    last,
  ]);
  if (changed.length === 0) throw new Error(`the run ${runId} has no ${part}`);
}

/** Removes the run's outputs, starting with the batch that begins with this row. */
export async function loseOutputs(dataDir: string, runId: string, fromRow = 1): Promise<void> {
  const [first, last] = await batchesOf(dataDir, runId);
  await queryDatabase(dataDir, [
    'delete from output_batches where id >= ? and id < ?',
    first + fromRow,
    last,
  ]);
}

/** Ids of the run's batches lie between these. */
async function batchesOf(dataDir: string, runId: string): Promise<readonly [first: number, last: number]> {
  const [found = []] = await queryDatabase(dataDir, ['select number from runs where run_id = ?', runId]);
  const number = Number(found[0]?.['number']);
  return [batchId(number, 0), batchId(number + 1, 0)];
}
