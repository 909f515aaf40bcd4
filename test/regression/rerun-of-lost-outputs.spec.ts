// A completed run whose index had lost lines was rerun as if the rows without a line had failed.
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { completedRun, indexOf, type Layout } from '../builders/completed-run.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it.each<Layout>(['in one piece', 'in pieces'])(
  'rows whose outputs, kept %s, are lost are not taken for rows that failed',
  async (layout) => {
    const services = await openTestServices({ quick }, { mostCompactBytes: 0 });
    const runId = await completedRun(services, 'quick', { rows: [{ n: 1 }, { n: 2 }], layout });
    await truncate(join(services.dataDir, 'runs', runId, indexOf[layout]), 0);
    const rerun = services.runs.rerun(runId, 'failed', { kind: 'cli' });
    await expect(rerun).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(await services.runs.list({})).toHaveLength(1);
  },
);
