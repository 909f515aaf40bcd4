import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startPostgres, whyNoPostgres } from '../../builders/postgres-server.ts';

async function ask(url: string, text: string): Promise<readonly object[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
}

it.skipIf(whyNoPostgres !== undefined)(
  'the PostgreSQL server of the specs copies databases, and has its data after a crash',
  async () => {
    const server = await startPostgres();
    const first = await server.createDatabase('first');
    await ask(first, 'create table numbers as select 7 as number');
    const second = await server.createDatabase('second', 'first');
    await server.crash();
    await expect(ask(second, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await ask(second, 'select number from numbers')).toEqual([{ number: 7 }]);
    await server.dropDatabase('second');
    await expect(ask(second, 'select 1')).rejects.toThrow('does not exist');
    await server.stop();
    await expect(ask(first, 'select 1')).rejects.toThrow('ECONNREFUSED');
  },
);
