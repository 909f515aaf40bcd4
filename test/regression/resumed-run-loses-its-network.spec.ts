// After a crash, a run that went on at the next start called before the folders of `--workflows` were read: the network of
// `--allow-network` was refused, and the run failed.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { hang, inSequence, json, startUpstream } from '../builders/upstream-server.ts';

it('a run that goes on after a crash may still call the network that its server was allowed', async () => {
  const service = await startUpstream({ '/rate': inSequence(hang, json({ rate: 2 })) });
  const [dataDir, workflows] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(
    join(workflows, 'rates.workflow.yaml'),
    `rowbench: 1
id: rates
nodes:
  - { id: input, type: input }
  - { id: rate, type: http, request: { url: "http://127.0.0.1:${service.port}/rate" } }
  - { id: out, type: output, fields: { rate: =nodes.rate.body.rate } }
`,
  );
  // Their reading takes longer than the run takes to go on.
  await Promise.all(
    Array.from({ length: 300 }, (_, nth) =>
      writeFile(join(workflows, `other-${nth}.workflow.yaml`), `rowbench: 1\nid: other-${nth}\nnodes: []\n`),
    ),
  );
  const start = () => startServerProcess({ dataDir, workflows, allowNetwork: 'loopback' });
  const first = await start();
  const runId = await trigger(first.url, 'rates', [{}]);
  await expect.poll(() => service.calls.length).toBe(1);
  await first.kill();
  const second = await start();
  expect(await finalStatus(second.url, { workflowId: 'rates', runId })).toMatchObject({
    status: 'completed',
  });
  expect(Object.values(await outputOf(second.url, 'rates', runId))).toEqual([{ rate: 2 }]);
  await second.stop();
});
