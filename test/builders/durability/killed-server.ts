// A real server that is killed again and again, the load that it is under meanwhile, and a ledger of what it answered.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createControlClient } from '../../../src-main/app/control-client.ts';
import { AppError } from '../../../src-main/base/app-error.ts';
import type { Call } from '../../../src-main/contract/index.ts';
import { readServerInfo } from '../../../src-main/storage/documents/server-info-file.ts';
import { callApi, trigger } from '../api-client.ts';
import { overADay } from '../leaping-clock.ts';
import { startServerProcess, type ServerProcess } from '../server-process.ts';
import { describeProcess, within } from '../stuck-process.ts';

const result = 'fields: { n: "=row.n", tag: "=row.tag", double: "=row.n * 2" }';
const workflowFiles = {
  // Answers at once: kills hit acceptance, start and finish.
  quick: `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, ${result} }
`,
  // Waits in every row: kills hit the middle of runs.
  slow: `rowbench: 1
id: slow
concurrency: 16
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 20ms }
  - { id: result, type: output, after: [wait], ${result} }
`,
};

export type Accepted = {
  /** Number of the server's start in which the run was accepted, from 1. */
  readonly life: number;
  readonly workflowId: string;
  readonly runId: string;
  readonly tag: string;
  readonly rows: number;
};

export type Ledger = {
  /** Answered 201, in that order. */
  readonly accepted: Accepted[];
  readonly cancelRequested: Set<string>;
  readonly cancelled: Set<string>;
  /** Names of keys that were handed out. */
  readonly keys: string[];
  /** The value of a setting that was answered for, and the one that was asked for last. */
  setting: { answered: number; requested: number };
};

export const outputsOf = ({ rows, tag }: Accepted): readonly unknown[] =>
  Array.from({ length: rows }, (_, n) => ({ n, tag, double: n * 2 }));

/** Maximum time until the load notices that the server is gone, in ms. */
const longestWaitMs = 60_000;

type ServerOptions = {
  readonly name: string;
  /** Age up to which retention keeps finished runs. */
  readonly retentionDays: number;
  readonly random: () => number;
};

export class KilledServer {
  readonly ledger: Ledger = {
    accepted: [],
    cancelRequested: new Set(),
    cancelled: new Set(),
    keys: [],
    setting: { answered: 1_000_000, requested: 1_000_000 },
  };
  readonly dataDir: string;
  readonly #workflows: string;
  readonly #random: () => number;
  readonly #name: string;
  /** Finished runs are kept for so many lives: a day passes between two of them. */
  readonly retentionDays: number;
  #starts = 0;
  #triggers = 0;

  private constructor(folder: string, { name, retentionDays, random }: ServerOptions) {
    this.dataDir = join(folder, name, 'data');
    this.#workflows = join(folder, name, 'workflows');
    this.#random = random;
    this.#name = name;
    this.retentionDays = retentionDays;
  }

  static async prepare(folder: string, options: ServerOptions): Promise<KilledServer> {
    const server = new KilledServer(folder, options);
    await mkdir(server.dataDir, { recursive: true });
    await mkdir(server.#workflows);
    for (const [id, text] of Object.entries(workflowFiles))
      await writeFile(join(server.#workflows, `${id}.workflow.yaml`), text);
    const settings = { version: 1, retention: { days: options.retentionDays, gigabytes: 100 } };
    await writeFile(join(server.dataDir, 'settings.json'), JSON.stringify(settings));
    return server;
  }

  /** Starts so far. */
  get starts(): number {
    return this.#starts;
  }

  async start(): Promise<ServerProcess> {
    this.#starts += 1;
    await this.#passDay();
    return startServerProcess({ dataDir: this.dataDir, workflows: this.#workflows });
  }

  /** The retention clock goes on by more than a day: then runs that ended in an earlier life may be removed. */
  async #passDay(): Promise<void> {
    const path = join(this.dataDir, 'retention.json');
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return;
    // A document without a checksum is taken as it is.
    const file = JSON.parse(text) as { clockMs: number };
    const later = { ...file, clockMs: file.clockMs + overADay, checksum: undefined };
    await writeFile(path, JSON.stringify(later));
  }

  /** One life under load, killed when `end` resolves. */
  async liveAndDie(end: () => Promise<unknown>): Promise<void> {
    const process = await this.start();
    const call = await this.control(process);
    // Node 20's fetch never settles where its server dies while it is still made ready, at the first call of a process.
    await call('settings.show', {});
    const going = new Set<string>();
    const keep = (name: string, act: () => Promise<void>): Promise<void> => {
      going.add(name);
      return this.#keep(act).finally(() => going.delete(name));
    };
    const load = [
      keep('first trigger', () => this.#trigger(process.url)),
      keep('second trigger', () => this.#trigger(process.url)),
      keep('moves', () => this.#moveSomeRun(call)),
      keep('documents', () => this.#writeDocuments(call)),
    ];
    try {
      await end();
    } finally {
      await process.kill();
    }
    await within(
      longestWaitMs,
      Promise.all(load),
      async () =>
        `${this.#name}: still under way after the kill: ${[...going].join(', ')}; ${await describeProcess(process.process)}`,
    );
  }

  async control({ url }: ServerProcess): Promise<Call> {
    const info = await readServerInfo(this.dataDir);
    if (info?.url !== url) throw new Error('the running server is not the one that its file names');
    return createControlClient({ url, token: info.controlToken });
  }

  /** Does it again and again until the server goes away. */
  async #keep(act: () => Promise<void>): Promise<void> {
    for (let count = 0; count < 1000; count += 1) {
      try {
        await act();
      } catch (error) {
        if (isBroken(error)) return;
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, this.#random() * 25));
    }
  }

  async #trigger(url: string): Promise<void> {
    const isSlow = this.#random() < 0.3;
    const workflowId = isSlow ? 'slow' : 'quick';
    const rows = 1 + Math.floor(this.#random() * (isSlow ? 40 : 400));
    const tag = `${this.#name}-${(this.#triggers += 1)}`;
    const sent = Array.from({ length: rows }, (_, n) => ({ n, tag }));
    const runId = await trigger(url, workflowId, sent);
    this.ledger.accepted.push({ life: this.#starts, workflowId, runId, tag, rows });
    if (this.#random() < 0.2)
      await callApi(url, `/api/v1/workflows/${workflowId}/runs/${runId}/async/status`);
  }

  /** A recent one; what it is too late for is refused. */
  async #moveSomeRun(call: Call): Promise<void> {
    const { accepted, cancelRequested, cancelled } = this.ledger;
    const run = accepted.at(-1 - Math.floor(this.#random() * 5));
    if (run === undefined) return;
    const chosen = this.#random();
    try {
      if (chosen < 0.35) await call('run.pause', { runId: run.runId });
      else if (chosen < 0.65) await call('run.resume', { runId: run.runId });
      else {
        cancelRequested.add(run.runId);
        await call('run.cancel', { runId: run.runId });
        cancelled.add(run.runId);
      }
    } catch (error) {
      const isRefused =
        error instanceof AppError && ['move_not_allowed', 'run_not_found'].includes(error.code);
      if (!isRefused) throw error;
    }
  }

  async #writeDocuments(call: Call): Promise<void> {
    const { setting, keys } = this.ledger;
    setting.requested += 1;
    await call('settings.change', { maxRows: setting.requested });
    setting.answered = setting.requested;
    if (this.#random() > 0.1) return;
    const name = `${this.#name}-${setting.requested}`;
    await call('key.create', { name, workflows: null });
    keys.push(name);
  }
}

/** The connection broke: that is the kill, and the client's word for it. Anything else is a finding. */
const isBroken = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof AppError && error.code === 'data_folder_locked');
