// A completed run whose index was cut, emptied or lost on the disk answered with the rows that were left, as if they
// were all.
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completedRun, indexOf, type Layout } from '../builders/completed-run.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'cut in half': (file) => truncate(file, 20),
  emptied: (file) => truncate(file, 0),
  lost: (file) => rm(file),
  overwritten: (file) => writeFile(file, Buffer.alloc(50)),
};

describe.each<Layout>(['in one piece', 'in pieces'])('of a run %s', (layout) => {
  it.each(Object.keys(damages))('an index that was %s is noticed before a row is handed out', async (how) => {
    const services = await openTestServices({ quick }, { mostCompactBytes: 0 });
    const runId = await completedRun(services, 'quick', { rows: [{ n: 1 }, { n: 2 }], layout });
    await damages[how]?.(join(services.dataDir, 'runs', runId, indexOf[layout]));
    const handedOut: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const lines of services.runs.readOutputs(runId, 2)) handedOut.push(lines);
    };
    await expect(read()).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(handedOut).toEqual([]);
  });
});
