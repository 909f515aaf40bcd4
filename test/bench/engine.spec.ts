// `npm run bench`: Rowbench through its real API beside a plain Node loop, in one run. Ratios count; absolute
// figures drift from machine to machine. The figures are printed as a table and as one line of JSON.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textOutput, textRow, textWorkflow } from '../builders/text-workload.ts';

const run = promisify(execFile);
const plainLoop = fileURLToPath(new URL('./plain-loop.mjs', import.meta.url));

type Figure = { what: string; rowbench: string; beside: string; ratio: string; aim: string };

it('measures the engine beside the plain loop', { timeout: 600_000 }, async () => {
  const folder = await temporaryFolder();
  const workflows = join(folder, 'workflows');
  await mkdir(workflows);
  await writeFile(join(workflows, 'text.workflow.yaml'), textWorkflow);
  const options = { dataDir: join(folder, 'data'), workflows };

  const figures: Figure[] = [];
  const server = await startServerProcess(options);
  try {
    figures.push(await textWorkload(server, folder, { rows: 10_000, repeats: 5 }));
    figures.push(await textWorkload(server, folder, { rows: 100_000, repeats: 3 }));
    figures.push(await oneRow(server));
  } finally {
    await server.stop();
  }
  figures.push(await startWithStoredRuns(options, join(folder, 'empty')));
  print(figures);
  expect(figures).toHaveLength(4);
});

async function textWorkload(
  server: ServerProcess,
  folder: string,
  size: { rows: number; repeats: number },
): Promise<Figure> {
  const lines = Array.from({ length: size.rows }, (_, index) => JSON.stringify(textRow(index)));
  const file = join(folder, `rows-${size.rows}.ndjson`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const body = Buffer.from(`{"rows":[${lines.join(',')}]}`);
  const ours: number[] = [];
  const plain: number[] = [];
  for (let repeat = 0; repeat <= size.repeats; repeat += 1) {
    const { stdout } = await run(process.execPath, [plainLoop, file, `${file}.out`]);
    const took = await throughTheApi(server, body, size.rows);
    // The first round warms both up.
    if (repeat > 0) ours.push(took);
    if (repeat > 0) plain.push(Number(stdout));
  }
  const rate = (times: number[]): number => Math.round((size.rows / median(times)) * 1000);
  return {
    what: `text workload, ${size.rows} rows`,
    rowbench: `${rate(ours)} rows/s`,
    beside: `${rate(plain)} rows/s plain loop`,
    ratio: (median(plain) / median(ours)).toFixed(2),
    aim: '>= 0.60',
  };
}

/** Milliseconds from the trigger to the last byte of all outputs. */
async function throughTheApi(server: ServerProcess, body: Buffer, rows: number): Promise<number> {
  const began = performance.now();
  const { data } = JSON.parse((await send(server, 'POST', 'runs/async', body)).toString()) as {
    data: { runId: string };
  };
  const status = await finalStatus(server.url, { workflowId: 'text', runId: data.runId }, 120_000);
  expect(status).toMatchObject({ status: 'completed' });
  const output = await send(server, 'GET', `runs/${data.runId}/async/response`);
  const took = performance.now() - began;
  const outputs = Object.values((JSON.parse(output.toString()) as { data: object }).data);
  expect(outputs).toHaveLength(rows);
  expect(outputs.at(-1)).toEqual(textOutput(textRow(rows - 1)));
  return took;
}

function send(server: ServerProcess, method: string, path: string, body?: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-service-key': testKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    };
    const call = request(`${server.url}/api/v1/workflows/text/${path}`, { method, headers });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => resolve(Buffer.concat(chunks)));
    });
    call.end(body);
  });
}

async function oneRow(server: ServerProcess): Promise<Figure> {
  const times: number[] = [];
  for (let repeat = 0; repeat < 110; repeat += 1) {
    const began = performance.now();
    const runId = await trigger(server.url, 'text', [textRow(repeat)]);
    // Every millisecond: asked without a pause, the server would spend its time on answers.
    while ((await statusOf(server.url, 'text', runId)).status !== 'completed') await pause(1);
    await outputOf(server.url, 'text', runId);
    if (repeat >= 10) times.push(performance.now() - began);
  }
  return {
    what: 'one row, trigger to output read',
    rowbench: `${median(times).toFixed(1)} ms median`,
    beside: `${quantile(times, 0.95).toFixed(1)} ms p95`,
    ratio: '',
    aim: '<= 20 ms',
  };
}

async function startWithStoredRuns(
  options: { dataDir: string; workflows: string },
  emptyDir: string,
): Promise<Figure> {
  const filling = await startServerProcess(options);
  let lastRun = '';
  for (let stored = 0; stored < 1000; stored += 1)
    lastRun = await trigger(filling.url, 'text', [textRow(stored)]);
  await finalStatus(filling.url, { workflowId: 'text', runId: lastRun }, 120_000);
  await filling.stop();
  const withRuns: number[] = [];
  const withNone: number[] = [];
  for (let repeat = 0; repeat < 5; repeat += 1) {
    withRuns.push(await startToAnswer(options, lastRun));
    withNone.push(await startToAnswer({ ...options, dataDir: emptyDir }));
  }
  return {
    what: 'start to first answer, 1,000 stored runs',
    rowbench: `${median(withRuns).toFixed(0)} ms`,
    beside: `${median(withNone).toFixed(0)} ms with none`,
    ratio: (median(withRuns) / median(withNone)).toFixed(2),
    aim: '<= 500 ms',
  };
}

async function startToAnswer(
  options: { dataDir: string; workflows: string },
  runId?: string,
): Promise<number> {
  const began = performance.now();
  const server = await startServerProcess(options);
  try {
    if (runId === undefined) await trigger(server.url, 'text', []);
    else expect((await statusOf(server.url, 'text', runId)).status).toBe('completed');
    return performance.now() - began;
  } finally {
    await server.stop();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const median = (values: readonly number[]): number => quantile(values, 0.5);

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;

function print(figures: readonly Figure[]): void {
  const columns = ['what', 'rowbench', 'beside', 'ratio', 'aim'] as const;
  const rows = [Object.fromEntries(columns.map((name) => [name, name])) as Figure, ...figures];
  const width = (name: (typeof columns)[number]): number => Math.max(...rows.map((row) => row[name].length));
  const line = (row: Figure): string =>
    columns
      .map((name) => row[name].padEnd(width(name)))
      .join('  ')
      .trimEnd();
  process.stdout.write(
    `\n${rows.map(line).join('\n')}\n\n${JSON.stringify({ node: process.version, figures })}\n\n`,
  );
}
