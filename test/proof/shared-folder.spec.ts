// Two processes on one data folder. A second server is refused with the folder and the first server's pid; the first
// server is undisturbed. A process that only reads may look at runs while the first one writes them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { finalStatus, outputOf, trigger } from '../builders/api-client.ts';
import { problemsIn } from '../builders/durability/stored-database.ts';
import { runCliProcess } from '../builders/run-cli.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, report } from './length.ts';

const workflowText = `rowbench: 1
id: text
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n", text: "=row.text" } }
`;
const rowsOf = (run: number): readonly unknown[] =>
  Array.from({ length: 200 }, (_, n) => ({ n, text: `run ${run} ${'x'.repeat(200)}` }));
const attempts = isLong ? 20 : 2;

it(
  'a second process is refused or reads, while the first writes undisturbed',
  { timeout: 180_000 },
  async () => {
    const folder = await temporaryFolder();
    const [dataDir, workflows] = [join(folder, 'data'), join(folder, 'workflows')];
    await mkdir(workflows);
    await writeFile(join(workflows, 'text.workflow.yaml'), workflowText);
    const server = await startServerProcess({ dataDir, workflows });
    const { url, pid } = server;
    const runIds: string[] = [];
    let isOver = false;
    const load = (async () => {
      while (!isOver && runIds.length < 300) {
        runIds.push(await trigger(url, 'text', rowsOf(runIds.length)));
        await setTimeout(50);
      }
    })();
    await expect.poll(() => runIds.length, { timeout: 30_000 }).toBeGreaterThan(2);

    for (let attempt = 0; attempt < attempts; attempt += 1) {
      await expect(startServerProcess({ dataDir, workflows })).rejects.toThrow(
        new RegExp(`${dataDir}.*\\b${pid}\\b`),
      );
      const run = runIds.length - 2;
      const runId = runIds[run] ?? '';
      await finalStatus(url, { workflowId: 'text', runId }, 60_000);
      const { code, stdout, stderr } = await runCliProcess([
        'export',
        runId,
        '--format',
        'ndjson',
        '--data',
        dataDir,
      ]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const lines = stdout.trim().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(rowsOf(run));
      const copy = join(folder, `copy-${attempt}.db`);
      const backup = await runCliProcess(['backup', copy, '--data', dataDir]);
      expect(backup).toMatchObject({ code: 0 });
      expect(await problemsIn(copy)).toEqual([]);
    }
    isOver = true;
    await load;
    for (const [run, runId] of runIds.entries()) {
      expect((await finalStatus(url, { workflowId: 'text', runId }, 60_000)).status).toBe('completed');
      if (run % 10 === 0) expect(Object.values(await outputOf(url, 'text', runId))).toEqual(rowsOf(run));
    }
    await server.stop();
    expect(server.process.exitCode).toBe(0);
    expect(await problemsIn(join(dataDir, databaseName))).toEqual([]);
    report(
      `shared folder: ${attempts} second servers refused by name, ${attempts} exports and backups beside ${runIds.length} runs of 200 rows, all right`,
    );
  },
);
