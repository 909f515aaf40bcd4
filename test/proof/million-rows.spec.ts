// A streaming client sends and reads 300,000 rows, a million in the long form. The server's memory must not grow with
// the number of rows, and the server must answer other clients meanwhile.
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { finalStatus } from '../builders/api-client.ts';
import { readDatabase } from '../builders/durability/stored-database.ts';
import { readProbe, type ProbeReport } from '../builders/process-probe.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textOutput, textRow, textWorkflow } from '../builders/text-workload.ts';
import { isLong, report } from './length.ts';

const manyRows = Number(process.env['ROWBENCH_ROWS'] ?? (isLong ? 1_000_000 : 200_000));
const fewRows = 10_000;

// Windows has no signal to ask the process for its figures by.
it.skipIf(process.platform === 'win32')(
  `runs ${manyRows} rows in the memory of ${fewRows}`,
  { timeout: 900_000 },
  async () => {
    // Ten small runs, so that both servers have filled what garbage collection leaves standing.
    const few = await measure(fewRows, 10);
    report(figuresOf(fewRows, few));
    const first = await measureMany(few);
    // Memory that grows with the rows grows each time; a busy machine that delays garbage collection does not.
    expect(first.length === 0 ? first : await measureMany(few)).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')(
  'finds it when memory grows with the rows, and others have to wait',
  { timeout: 120_000 },
  async () => {
    const fault = { fault: 'wasteful-process.mjs' };
    const few = await measure(100, 1, fault);
    const many = await measure(10_000, 1, fault);
    expect(tooMuch(few, many).join('; ')).toMatch(/peak of \d+ MB, \d+ of few rows; .*delay/);
  },
);

async function measureMany(few: Figures): Promise<readonly string[]> {
  const many = await measure(manyRows, 1);
  report(figuresOf(manyRows, many));
  return tooMuch(few, many);
}

function figuresOf(rows: number, measured: Awaited<ReturnType<typeof measure>>): string {
  const { seconds, megabytes, traceMegabytes, report: of } = measured;
  return (
    `${rows} rows (${whole(megabytes)} MB in) ${seconds.toFixed(1)} s, main process peak ${whole(of.peakMemoryMb)} MB, ` +
    `event-loop delay p99 ${whole(of.eventLoopDelayP99Ms)} ms, max ${whole(of.eventLoopDelayMaxMs)} ms, ` +
    `trace ${traceMegabytes.toFixed(1)} MB`
  );
}

type Figures = { readonly report: ProbeReport; readonly traceMegabytes: number };

/** Figures of the run of many rows that are too high, in words. */
function tooMuch(few: Figures, { report, traceMegabytes }: Figures): readonly string[] {
  const { peakMemoryMb, eventLoopDelayP99Ms } = report;
  const fewMb = few.report.peakMemoryMb;
  return [
    ...(peakMemoryMb < Math.min(400, 1.5 * fewMb)
      ? []
      : [`a peak of ${whole(peakMemoryMb)} MB, ${whole(fewMb)} of few rows`]),
    ...(eventLoopDelayP99Ms < 200 ? [] : [`an event-loop delay of ${whole(eventLoopDelayP99Ms)} ms`]),
    // The first 10,000 rows and slow ones: a hundredth of them at most.
    ...(traceMegabytes < 20 ? [] : [`${whole(traceMegabytes)} MB of traces`]),
  ];
}

const whole = (figure: number): string => figure.toFixed(0);

async function measure(rows: number, runs: number, fault: { readonly fault?: string } = {}) {
  const folder = await temporaryFolder();
  const workflows = join(folder, 'workflows');
  await mkdir(workflows);
  await writeFile(join(workflows, 'text.workflow.yaml'), textWorkflow);
  const probeReport = join(folder, 'report.json');
  const server = await startServerProcess({
    dataDir: join(folder, 'data'),
    workflows,
    probeReport,
    ...fault,
  });
  try {
    const began = performance.now();
    let megabytes = 0;
    let traceMegabytes = 0;
    for (let run = 0; run < runs; run += 1) {
      const { runId, bytes } = await sendRows(server, rows);
      const { status } = await finalStatus(server.url, { workflowId: 'text', runId }, 600_000);
      expect(status).toBe('completed');
      expect(await digestOfOutput(server, runId)).toBe(expectedDigest(runId, rows));
      megabytes += bytes / 1e6;
      const traces = await traceBytesOf(join(folder, 'data'), runId);
      traceMegabytes = Math.max(traceMegabytes, traces / 1e6);
    }
    const seconds = (performance.now() - began) / 1000;
    return { report: await readProbe(server, probeReport), seconds, megabytes, traceMegabytes };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Size of a run's traces, in bytes, read beside the server. */
const traceBytesOf = (dataDir: string, runId: string): Promise<number> =>
  readDatabase(join(dataDir, databaseName), (database) => {
    const sql = 'select trace_bytes as bytes from runs where run_id = ?';
    return (database.prepare(sql).get(runId) as { bytes: number }).bytes;
  });

async function sendRows(server: ServerProcess, rows: number): Promise<{ runId: string; bytes: number }> {
  let bytes = 0;
  function* body() {
    yield '{"rows":[';
    // In pieces of a hundred rows: one write a row would measure the client.
    for (let start = 0; start < rows; start += 100) {
      const part = Array.from({ length: Math.min(100, rows - start) }, (_, n) =>
        JSON.stringify(textRow(start + n)),
      );
      const text = (start === 0 ? '' : ',') + part.join(',');
      bytes += Buffer.byteLength(text);
      yield text;
    }
    yield ']}';
  }
  const answer = await new Promise<string>((resolve, reject) => {
    const post = request(`${server.url}/api/v1/workflows/text/runs/async`, {
      method: 'POST',
      headers: { 'x-service-key': testKey, 'content-type': 'application/json' },
    });
    post.once('error', reject);
    post.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('end', () => (response.statusCode === 201 ? resolve(text) : reject(new Error(text))));
    });
    pipeline(Readable.from(body()), post).catch(reject);
  });
  const { data } = JSON.parse(answer) as { data: { runId: string } };
  return { runId: data.runId, bytes };
}

function digestOfOutput(server: ServerProcess, runId: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const get = request(`${server.url}/api/v1/workflows/text/runs/${runId}/async/response`, {
      headers: { 'x-service-key': testKey },
    });
    get.once('error', reject);
    get.once('response', (response) => {
      const hash = createHash('sha256');
      response.on('data', (chunk: Buffer) => hash.update(chunk));
      response.once('error', reject);
      response.once('end', () => resolve(hash.digest('hex')));
    });
    get.end();
  });
}

/** The whole answer as it must be, byte by byte, without holding it. */
function expectedDigest(runId: string, rows: number): string {
  const hash = createHash('sha256').update('{"success":true,"data":{');
  const part = runId.slice(runId.lastIndexOf('-') + 1);
  for (let index = 0; index < rows; index += 1) {
    const id = `${part}_${String(index + 1).padStart(6, '0')}`;
    hash.update(`${index === 0 ? '' : ','}"${id}":${JSON.stringify(textOutput(textRow(index)))}`);
  }
  return hash.update('}}').digest('hex');
}
