// PostgreSQL sends lines as text, and refuses to send bytes that are none.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowSet } from '../../../src-main/domain/rows/row-set.ts';
import type { TeamPool } from '../../../src-main/team/team-pool.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { openTeamStores } from '../../builders/team-stores.ts';

const lines = Buffer.from('{"name":"Zoë 🙂 \\u0000"}\n{"name":"b"}\n');
const set: RowSet = {
  version: 1,
  id: randomUUID(),
  workflowId: 'text',
  name: 'two rows',
  rows: 2,
  bytes: lines.length,
  savedAt: '2026-11-27T04:00:00.000Z',
};

describe.skipIf(whyNoPostgres !== undefined)('lines in the database of a team', () => {
  let pool: TeamPool;
  let stores: Awaited<ReturnType<typeof openTeamStores>>;

  beforeAll(async () => {
    pool = openPool((await createTestDatabase()).url);
    stores = await openTeamStores(pool);
    const owner = await stores.database.nextOwner();
    const acceptance = { owner, batches: [{ firstRow: 1, rows: 2, lines: Uint8Array.from(lines) }] };
    await stores.database.write('keepRowSet', acceptance, set, undefined);
  });

  afterAll(() => stores.close());

  const read = () => stores.database.read('rowBatch', { setId: set.id }, 1);

  it('come back as the same bytes', async () => {
    expect(Buffer.from((await read())?.lines ?? [])).toEqual(lines);
  });

  it.each([
    ['another character', 'x'.charCodeAt(0)],
    ['a byte that is no UTF-8', 0xff],
    ['a zero byte', 0],
  ])('are reported as damaged where a byte has become %s', async (_what, byte) => {
    const change = (to: number) =>
      pool.query('update rowbench.row_batches set lines = set_byte(lines, 2, $1)', [to]);
    await change(byte);
    await expect(read()).rejects.toMatchObject({ code: 'data_unreadable' });
    await change(lines[2]!);
    expect(Buffer.from((await read())?.lines ?? [])).toEqual(lines);
  });
});
