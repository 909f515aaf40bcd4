// Malicious services cost the process hardly more memory than ordinary ones.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { finalStatus, trigger } from '../builders/api-client.ts';
import { runCli } from '../builders/run-cli.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import {
  bytes,
  endless,
  gzipBomb,
  hangInBody,
  startUpstream,
  type UpstreamAnswerer,
} from '../builders/upstream-server.ts';

const routes: Readonly<Record<string, UpstreamAnswerer>> = {
  '/endless': endless,
  '/gzip': gzipBomb,
  '/twice': bytes(gzipSync(gzipSync(Buffer.alloc(100_000_000))), { 'content-encoding': 'gzip, gzip' }),
  '/nearly': bytes(Buffer.alloc(9_900_000, 'x')),
  '/packed': bytes(gzipSync(Buffer.alloc(9_900_000)), { 'content-encoding': 'gzip' }),
  '/stuck': hangInBody,
  '/large': bytes(Buffer.alloc(1_000_000, 'x')),
};

const workflow = (origin: string): string => `rowbench: 1
id: calls
concurrency: 64
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: service, type: http, request: { url: "${origin}/{{ row.path.slice(1) }}" }, timeout: 5s }
  - { id: result, type: output, fields: { status: "=nodes.service.status" } }
`;

/** Since `clear_refs`, in KB. */
const peakMemory = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

it.runIf(process.platform === 'linux')(
  '64 hostile calls at once cost the process at most 30 MB more than 64 ordinary ones',
  async () => {
    const upstream = await startUpstream(routes);
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    await writeFile(join(folder, 'calls.workflow.yaml'), workflow(upstream.url('')));
    const server = await startServerProcess({ dataDir, workflows: folder });
    onTestFinished(() => server.kill());
    await runCli(['grants', 'allow', 'calls', 'loopback', '--data', dataDir]);
    const run = async (paths: readonly string[], rows: number): Promise<string> => {
      const list = Array.from({ length: rows }, (_, n) => ({ path: paths[n % paths.length] }));
      const runId = await trigger(server.url, 'calls', list);
      return (await finalStatus(server.url, { workflowId: 'calls', runId })).status;
    };
    /** The most that the process had in memory during a run, in MB. */
    const peakOf = async (path: string): Promise<number> => {
      await writeFile(`/proc/${server.pid}/clear_refs`, '5');
      expect(await run([path], 64)).toBe('completed');
      return Math.round((await peakMemory(server.pid)) / 1000);
    };
    for (let n = 0; n < 3; n += 1) await run(['/large'], 64);
    /**
     * More than ordinary calls just before it, which have all that earlier rounds left to the process. The collector's
     * own time adds some to any one round; what a path holds it takes in each.
     */
    const costOf = async (path: string, atMost: number): Promise<number> => {
      let least = Infinity;
      for (let n = 0; n < 4 && least > atMost; n += 1) {
        const ordinary = await peakOf('/large');
        least = Math.min(least, (await peakOf(path)) - ordinary);
      }
      return least;
    };
    const first = await peakOf('/large');
    const cost: Record<string, number> = {};
    for (const path of ['/endless', '/gzip', '/twice', '/stuck']) cost[path] = await costOf(path, 30);
    expect(Object.entries(cost).filter(([, mb]) => mb > 30)).toEqual([]);
    // 64 answers of the largest size that is allowed, 640 MB in all: what a few of them take.
    for (const path of ['/nearly', '/packed']) expect(await costOf(path, 100), path).toBeLessThanOrEqual(100);
    // What the rounds before left stays what a garbage-collected heap keeps in hand.
    expect((await peakOf('/large')) - first).toBeLessThanOrEqual(100);
  },
  120_000,
);
