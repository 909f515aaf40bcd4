// Rowbench and the floor server behind one door: trigger with a body, ask for the status, read the outputs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { startServerProcess, testKey } from '../builders/server-process.ts';
import { textWorkflow } from '../builders/text-workload.ts';

export type Workload = 'text' | 'code' | 'upstream' | 'model' | 'slow';

export type Subject = {
  readonly name: string;
  readonly pid: number;
  trigger(workload: Workload, body: Buffer): Promise<string>;
  status(workload: Workload, runId: string): Promise<string>;
  output(workload: Workload, runId: string): Promise<Buffer>;
  stop(): Promise<void>;
};

const codeWorkflow = `rowbench: 1
id: code
nodes:
  - { id: input, type: input }
  - id: hash
    type: code
    code: |
      let hash = 2166136261;
      for (let at = 0; at < row.note.length; at += 1) hash = Math.imul(hash ^ row.note.charCodeAt(at), 16777619);
      for (let round = 0; round < 32_000; round += 1) hash = Math.imul(hash ^ round, 16777619);
      return hash >>> 0;
  - { id: result, type: output, fields: { hash: "=nodes.hash" } }
`;

const upstreamWorkflow = (id: string, url: string): string => `rowbench: 1
id: ${id}
concurrency: 256
nodes:
  - { id: input, type: input }
  - { id: service, type: http, request: { url: "${url}{{ row.id }}" } }
  - { id: result, type: output, fields: { n: "=nodes.service.body.n" } }
`;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Connections that were not used for seconds are closed, by a server perhaps this moment: for before a call that counts. */
export const dropConnections = (): void => agent.destroy();

/** One call over a kept connection. Throws what the answer says unless it is a success. */
function call(
  url: string,
  init: { method?: string; headers?: Record<string, string | number>; body?: Buffer } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = init;
    const length =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { method, agent, headers: { ...headers, ...length } });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const whole = Buffer.concat(chunks);
        if ((answer.statusCode ?? 500) < 300) resolve(whole);
        else reject(new Error(`${method} ${url}: ${answer.statusCode} ${whole.toString('utf8', 0, 500)}`));
      });
    });
    sent.end(body);
  });
}

const dataOf = (answer: Buffer): { runId: string; status: string } =>
  (JSON.parse(answer.toString()) as { data: { runId: string; status: string } }).data;

/** The workflows that the benchmarks run, as files of a folder. */
export async function writeWorkflows(folder: string, upstreamUrl: string): Promise<string> {
  const workflows = join(folder, 'workflows');
  await mkdir(workflows, { recursive: true });
  const texts = {
    text: textWorkflow,
    code: codeWorkflow,
    upstream: upstreamWorkflow('upstream', upstreamUrl),
    model: upstreamWorkflow('model', `${upstreamUrl}model/`),
  };
  for (const [id, text] of Object.entries(texts))
    await writeFile(join(workflows, `${id}.workflow.yaml`), text);
  return workflows;
}

/** Rowbench as its users start it, with limits lifted. @param options.program `dist/cli.js` of another build */
export async function startRowbench(options: {
  dataDir: string;
  workflows: string;
  program?: string;
}): Promise<Subject> {
  const server = await startServerProcess({ ...options, allowNetwork: 'loopback' });
  return subjectAt('Rowbench', server);
}

/** A server of Rowbench, alone or of a team. */
export function subjectAt(
  name: string,
  server: { readonly url: string; readonly pid: number; stop(): Promise<void> },
): Subject {
  const headers = { 'x-service-key': testKey };
  const runs = (workload: Workload): string => `${server.url}/api/v1/workflows/${workload}/runs`;
  return {
    name,
    pid: server.pid,
    trigger: async (workload, body) =>
      dataOf(await call(`${runs(workload)}/async`, { method: 'POST', headers, body })).runId,
    status: async (workload, runId) =>
      dataOf(await call(`${runs(workload)}/${runId}/async/status`, { headers })).status,
    output: (workload, runId) => call(`${runs(workload)}/${runId}/async/response`, { headers }),
    stop: () => server.stop(),
  };
}

export const startFloor = (folder: string, upstreamUrl: string): Promise<Subject> =>
  startSimple('floor server', 'floor-server.mjs', [folder, upstreamUrl]);

async function startSimple(
  name: string,
  program: string,
  args: readonly [folder: string, ...more: string[]],
): Promise<Subject> {
  await mkdir(args[0], { recursive: true });
  const { port, child, stop } = await startProgram(program, args);
  const url = `http://127.0.0.1:${port}`;
  return {
    name,
    pid: child.pid ?? 0,
    trigger: async (workload, body) =>
      dataOf(await call(`${url}/${workload}/${workload}`, { method: 'POST', body })).runId,
    status: async (_workload, runId) => dataOf(await call(`${url}/runs/${runId}`)).status,
    output: (_workload, runId) => call(`${url}/runs/${runId}/output`),
    stop,
  };
}

/** One of the programs beside this file, once it has printed its port. */
export async function startProgram(name: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { port: Number(printed.toString().trim()), child, stop };
}

/** The times of several subjects, taken in turns; the first turn is for what is new to them. */
export async function measureInterleaved<Name extends string>(
  rounds: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      dropConnections();
      const ms = await measures[name]();
      if (round > 0) taken[name].push(ms);
    }
  }
  return taken;
}

export const rate = (rows: number, ms: number): string =>
  `${Math.round((rows / ms) * 1000).toLocaleString('en-US')} rows/s`;

/** Milliseconds from the trigger to the last byte of all outputs, from its answer to the run's end, and between the two. */
export async function timeRun(
  subject: Subject,
  workload: Workload,
  body: Buffer,
): Promise<{ ms: number; runMs: number; completedMs: number; runId: string; output: Buffer }> {
  const began = performance.now();
  const runId = await subject.trigger(workload, body);
  const accepted = performance.now();
  for (;;) {
    const status = await subject.status(workload, runId);
    if (status === 'completed') break;
    if (status === 'failed' || performance.now() - began > 300_000)
      throw new Error(`${subject.name}: ${runId} is ${status}`);
    // Asked without a pause, a server would spend its time on answers. A run is seen to end at most 4 % too late.
    await pause(Math.min(20, 1 + (performance.now() - began) / 25));
  }
  const completed = performance.now();
  const output = await subject.output(workload, runId);
  const [ms, runMs, completedMs] = [performance.now() - began, completed - accepted, completed - began];
  return { ms, runMs, completedMs, runId, output };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
