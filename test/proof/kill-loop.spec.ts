// SIGKILL at random moments, again and again, under load. Whatever was answered 201 must be there at the end, with
// exactly one output a row. ROWBENCH_KILLS sets the number of kills, ROWBENCH_SEED the random sequence.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callApi, finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { startServerProcess, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const kills = Number(process.env['ROWBENCH_KILLS'] ?? 50);
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);

const workflowFiles = {
  // Answers at once: kills hit acceptance, start and finish.
  quick: `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: sum, type: set, values: { double: "=row.n * 2" } }
  - { id: result, type: output, fields: { n: "=row.n", tag: "=row.tag", double: "=nodes.sum.double" } }
`,
  // Waits in every row: kills hit the middle of runs.
  slow: `rowbench: 1
id: slow
concurrency: 16
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 20ms }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n", tag: "=row.tag", double: "=row.n * 2" } }
`,
};

type Accepted = { workflowId: string; runId: string; tag: string; rows: number };

it(`loses nothing and repeats nothing over ${kills} kills`, { timeout: 600_000 }, async () => {
  const random = seededRandom(seed);
  const folder = await temporaryFolder();
  const workflows = join(folder, 'workflows');
  await mkdir(workflows);
  for (const [id, text] of Object.entries(workflowFiles))
    await writeFile(join(workflows, `${id}.workflow.yaml`), text);
  const options = { dataDir: join(folder, 'data'), workflows };
  // More runs than retention keeps by default are accepted here, and none may be missing at the end.
  await mkdir(options.dataDir);
  await writeFile(
    join(options.dataDir, 'settings.json'),
    JSON.stringify({ version: 1, retention: { runs: 1_000_000, days: 30 } }),
  );
  const accepted: Accepted[] = [];

  for (let kill = 0; kill < kills; kill += 1) {
    const server = await startServerProcess(options);
    const clients = [0, 1, 2].map((client) => keepTriggering(server, `${kill}-${client}`, random, accepted));
    await new Promise((resolve) => setTimeout(resolve, random() * 1200));
    await server.kill();
    await Promise.all(clients);
  }

  const server = await startServerProcess(options);
  try {
    expect(accepted.length).toBeGreaterThan(kills);
    for (const run of accepted) {
      const { status, error } = await finalStatus(server.url, run, 120_000);
      expect({ status, error }, `run ${run.runId}`).toEqual({ status: 'completed', error: undefined });
      const outputs = Object.values(await outputOf(server.url, run.workflowId, run.runId));
      const expected = Array.from({ length: run.rows }, (_, n) => ({ n, tag: run.tag, double: n * 2 }));
      expect(outputs, `outputs of ${run.runId}`).toEqual(expected);
    }
    process.stdout.write(
      `      ${kills} kills, ${accepted.length} accepted runs, all completed with one output a row\n`,
    );
  } finally {
    await server.stop();
  }
});

/** Triggers runs until the server goes away, and notes each that was answered 201 before the next is sent. */
async function keepTriggering(
  server: ServerProcess,
  name: string,
  random: () => number,
  accepted: Accepted[],
) {
  for (let count = 0; count < 1000; count += 1) {
    const isSlow = random() < 0.3;
    const workflowId = isSlow ? 'slow' : 'quick';
    const rows = 1 + Math.floor(random() * (isSlow ? 40 : 500));
    const tag = `${name}-${count}`;
    try {
      const runId = await trigger(
        server.url,
        workflowId,
        Array.from({ length: rows }, (_, n) => ({ n, tag })),
      );
      accepted.push({ workflowId, runId, tag, rows });
      if (random() < 0.2)
        await callApi(server.url, `/api/v1/workflows/${workflowId}/runs/${runId}/async/status`);
    } catch (error) {
      // The connection broke: that is the kill. Anything else is a finding.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}
