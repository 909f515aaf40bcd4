// A server that users give the largest inputs that it takes, and how long it did not answer `/healthz` meanwhile.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createControlClient } from '../../src-main/app/control-client.ts';
import type { Call } from '../../src-main/contract/index.ts';
import { readServerInfo } from '../../src-main/storage/documents/server-info-file.ts';
import { finalStatus } from './api-client.ts';
import { HealthProber } from './health-prober.ts';
import { startServerProcess, testKey, type ServerProcess } from './server-process.ts';

type Sent = {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly method?: string;
};

export class BusyServer {
  readonly call: Call;
  /** Folder of the workflows. */
  readonly folder: string;
  readonly #server: ServerProcess;
  readonly #token: string;
  readonly #prober: HealthProber;

  private constructor(server: ServerProcess, token: string, folder: string) {
    this.#server = server;
    this.#token = token;
    this.folder = folder;
    this.call = createControlClient({ url: server.url, token, timeoutMs: 300_000 });
    this.#prober = new HealthProber(server);
  }

  /** @param files texts of its workflows by their names */
  static async start(files: Readonly<Record<string, string>>): Promise<BusyServer> {
    const root = await mkdtemp(join(tmpdir(), 'rowbench-busy-'));
    const [dataDir, workflows] = [join(root, 'data'), join(root, 'workflows')];
    await mkdir(workflows);
    for (const [name, text] of Object.entries(files)) await writeFile(join(workflows, name), text);
    const server = await startServerProcess({ dataDir, workflows });
    return new BusyServer(server, (await readServerInfo(dataDir))?.controlToken ?? '', workflows);
  }

  /** How long the server was silent at worst while it was used, and how long that took, in ms. */
  measure(
    use: () => Promise<unknown>,
    maxSilentMs: number,
  ): Promise<{ readonly silentMs: number; readonly ms: number }> {
    return this.#prober.measure(use, maxSilentMs);
  }

  /** Sends to a route of the control API and reads the answer to its end. Returns its status. */
  async send(path: string, { body, method = 'POST' }: Sent = {}): Promise<number> {
    const response = await fetch(`${this.#server.url}/_rowbench/v1${path}`, {
      method,
      headers: { 'x-rowbench-token': this.#token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    for await (const _ of response.body ?? []);
    return response.status;
  }

  /** Starts a run through the public API. Throws unless it is accepted. */
  async trigger(workflowId: string, body: string): Promise<string> {
    const headers = { 'x-service-key': testKey, 'content-type': 'application/json' };
    const path = `${this.#server.url}/api/v1/workflows/${workflowId}/runs/async`;
    const answer = await fetch(path, { method: 'POST', headers, body });
    const { data } = (await answer.json()) as { data?: { runId: string } };
    if (data === undefined) throw new Error(`a run was answered with ${answer.status}`);
    return data.runId;
  }

  /** Runs rows to their end, and reads the output as a client does. */
  async run(workflowId: string, body: string, withinMs: number): Promise<string> {
    const { url } = this.#server;
    const runId = await this.trigger(workflowId, body);
    const { status } = await finalStatus(url, { workflowId, runId }, withinMs);
    if (status !== 'completed') throw new Error(`the run is ${status}`);
    const output = await fetch(`${url}/api/v1/workflows/${workflowId}/runs/${runId}/async/response`, {
      headers: { 'x-service-key': testKey },
    });
    for await (const _ of output.body ?? []);
    return runId;
  }

  async close(): Promise<void> {
    await this.#prober.stop();
    await this.#server.kill();
    await rm(join(this.folder, '..'), { recursive: true, force: true, maxRetries: 3 });
  }
}
