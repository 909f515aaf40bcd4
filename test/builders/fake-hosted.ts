// A hosted service, built from its interface document and from nothing of our own server. Where the document is silent,
// the service can behave both ways: see `HostedQuirks`. It keeps a witness of every POST that arrived.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

type Row = Readonly<Record<string, unknown>>;
type RowOutput = Readonly<Record<string, unknown>>;

/** Computes a row's output; undefined: the service has no entry for the row. */
export type HostedWorkflow = (row: Row, index: number) => RowOutput | undefined;

/** `cut-before` is cut before the run exists; `cut-after` and `cut-in-answer` once it does. */
export type TriggerFault =
  | 'cut-before'
  | 'cut-after'
  | 'cut-in-answer'
  | 'no-body'
  | 'no-id'
  | 'html-500'
  | 'html-502'
  | 'silent'
  | 'redirect'
  | 'bare-429';

/** Behaviour that the document leaves open, and faults. All may change while the service runs. */
export type HostedQuirks = {
  /** Name of the key's header; `x-service-key` is refused unless it is this. */
  header?: string;
  /** Time of the limits, in ms; default: the machine's. */
  now?: () => number;
  /** false: no rate limits. */
  hasLimits?: boolean;
  /** `Retry-After` as a date instead of seconds. */
  retryAsDate?: boolean;
  /** Address in a redirect. */
  redirectTo?: string;
  /** Fault of the nth POST (from 0). */
  fault?: (nth: number) => TriggerFault | undefined;
  /** Statuses in the order of the status calls; the last one stays. Absent: completed at once. */
  statuses?: readonly string[];
  /** `failed` runs have this error. */
  error?: string;
  /** Identifiers of rows: UUIDs, or integers from the highest down, which `JSON.parse` would reorder. */
  rowIds?: 'uuid' | 'integer';
  /** Order of the entries of an output. */
  entries?: 'in-order' | 'reversed';
  startedAtWhileQueued?: 'null' | 'time';
  /** Fields that the document does not have, in every answer. */
  hasUnknownFields?: boolean;
  encoding?: 'gzip';
  /** Answers GETs with this status and a page instead. */
  getFault?: (operation: 'status' | 'output', nth: number) => 500 | 502 | 404 | 'cut' | undefined;
  /** Closes each idle connection after so many ms. */
  idleMs?: number;
  /** Time between the acceptance of rows and its answer, in ms. */
  acceptMs?: number;
  /** Whitespace in bodies, as some servers send it. */
  isIndented?: boolean;
};

type WitnessedPost = { readonly workflowId: string; readonly hash: string; readonly runId?: string };

export type FakeHosted = {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  readonly quirks: HostedQuirks;
  /** Every POST whose body arrived whole, in order. */
  readonly posts: readonly WitnessedPost[];
  /** Status codes of all answers by operation. */
  readonly answers: readonly { readonly operation: string; readonly status: number }[];
  /** Headers of every request. */
  readonly seenHeaders: readonly NodeJS.Dict<string | string[]>[];
  /** The output of a run as the service computed it, by position. */
  outputsOf(runId: string): readonly (RowOutput | undefined)[];
  close(): Promise<void>;
};

type HostedRun = {
  readonly workflowId: string;
  readonly rows: readonly Row[];
  readonly startedAt: string;
  statusCalls: number;
};

const published = { trigger: 50, 'trigger-workflow': 30, status: 50, 'status-run': 6, output: 50 } as const;

class Limits {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds until the calls fit; 0: they are counted. */
  take(limits: readonly (readonly [name: keyof typeof published, subject: string])[]): number {
    const now = this.#now();
    const windows = limits.map(([name, subject]) => {
      const all = (this.#times.get(`${name} ${subject}`) ?? []).filter((time) => now - time < 60_000);
      this.#times.set(`${name} ${subject}`, all);
      return { all, limit: published[name] };
    });
    const full = windows.find(({ all, limit }) => all.length >= limit);
    if (full !== undefined) return Math.ceil(((full.all[0] ?? now) + 60_000 - now) / 1000);
    for (const { all } of windows) all.push(now);
    return 0;
  }
}

const path = /^\/api\/v1\/workflows\/([^/]+)\/runs\/(?:([^/]+)\/async\/(status|response)|async)$/;

/** Starts a service; the caller closes it. */
export async function startFakeHosted(
  workflows: Readonly<Record<string, HostedWorkflow>>,
  initial: HostedQuirks = {},
): Promise<FakeHosted> {
  const quirks: HostedQuirks = { header: 'x-acme-key', ...initial };
  const key = 'acme_0123456789_secret_key';
  const runs = new Map<string, HostedRun>();
  const posts: WitnessedPost[] = [];
  const answers: { operation: string; status: number }[] = [];
  const seenHeaders: NodeJS.Dict<string | string[]>[] = [];
  const limits = new Limits(() => (quirks.now ?? Date.now)());
  let nthPost = 0;
  let nthGet = 0;
  let nextRow = 1_000_000;

  const outputsOf = (runId: string): readonly (RowOutput | undefined)[] => {
    const run = runs.get(runId);
    if (run === undefined) throw new Error(`no run ${runId}`);
    return run.rows.map((row, index) => workflows[run.workflowId]?.(row, index));
  };

  const send = (response: ServerResponse, operation: string, status: number, body: unknown, headers = {}) => {
    answers.push({ operation, status });
    const unknown = quirks.hasUnknownFields === true ? { requestId: randomUUID(), data2: { a: [1] } } : {};
    const text =
      typeof body === 'string'
        ? body
        : JSON.stringify({ ...unknown, ...(body as object) }, null, quirks.isIndented === true ? 2 : 0);
    const bytes = quirks.encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...(quirks.encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    });
    response.end(bytes);
  };
  const refuse = (response: ServerResponse, operation: string, status: number, error: string): void =>
    send(response, operation, status, { success: false, error });
  const limited = (response: ServerResponse, operation: string, seconds: number): void => {
    const at = new Date(Date.now() + seconds * 1000).toUTCString();
    const retry = { 'retry-after': quirks.retryAsDate === true ? at : String(seconds) };
    send(response, operation, 429, '', retry);
  };

  const trigger = (request: IncomingMessage, response: ServerResponse, workflowId: string, body: Buffer) => {
    const fault = quirks.fault?.(nthPost);
    nthPost += 1;
    const hash = createHash('sha256').update(body).digest('hex');
    const reached = fault === 'cut-before' || fault === 'bare-429' || fault === 'redirect';
    if (reached) posts.push({ workflowId, hash });
    if (fault === 'cut-before') return void request.socket.destroy();
    if (fault === 'bare-429') return limited(response, 'trigger', 1);
    if (fault === 'redirect')
      return send(response, 'trigger', 307, '', {
        location: quirks.redirectTo ?? 'http://127.0.0.1:9/elsewhere',
      });
    const wait =
      quirks.hasLimits === false
        ? 0
        : limits.take([
            ['trigger', key],
            ['trigger-workflow', workflowId],
          ]);
    if (wait > 0) return limited(response, 'trigger', wait);
    let rows: unknown;
    try {
      ({ rows } = JSON.parse(body.toString()) as { rows?: unknown });
    } catch {
      rows = undefined;
    }
    if (!Array.isArray(rows)) {
      const form = 'Invalid request body. Expected an object holding `rows`, an array of objects';
      return refuse(response, 'trigger', 400, form);
    }
    const runId = `run_${randomUUID().slice(0, 8)}`;
    runs.set(runId, { workflowId, rows, startedAt: new Date().toISOString(), statusCalls: 0 });
    posts.push({ workflowId, hash, runId });
    if (fault === 'cut-after') return void request.socket.destroy();
    if (fault === 'silent') return;
    if (fault === 'no-body') {
      answers.push({ operation: 'trigger', status: 201 });
      return void response.writeHead(201).end();
    }
    if (fault === 'html-500' || fault === 'html-502')
      return send(response, 'trigger', Number(fault.slice(5)), '<html><h1>Bad gateway</h1></html>');
    const data = fault === 'no-id' ? { workflowId } : { workflowId, runId, status: 'queued' };
    if (fault === 'cut-in-answer') {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '200' });
      response.write('{"success":true,"data":{"workflowId":"');
      return void setImmediate(() => request.socket.destroy());
    }
    const accept = (): void => send(response, 'trigger', 201, { success: true, data });
    if (quirks.acceptMs === undefined) accept();
    else setTimeout(accept, quirks.acceptMs);
  };

  const statusOf = (run: HostedRun): string => {
    const { statuses = ['completed'] } = quirks;
    return statuses[Math.min(run.statusCalls, statuses.length) - 1] ?? statuses[0] ?? 'completed';
  };

  const read = (
    response: ServerResponse,
    workflowId: string,
    runId: string,
    operation: 'status' | 'output',
  ) => {
    const fault = quirks.getFault?.(operation, nthGet);
    nthGet += 1;
    if (fault === 'cut') return void response.socket?.destroy();
    if (fault === 500 || fault === 502) return send(response, operation, fault, '<html>Bad gateway</html>');
    const run = runs.get(runId);
    if (run?.workflowId !== workflowId || fault === 404)
      return refuse(response, operation, 404, 'Workflow run not found');
    const wait =
      quirks.hasLimits === false
        ? 0
        : limits.take(
            operation === 'status'
              ? [
                  ['status', key],
                  ['status-run', runId],
                ]
              : [['output', key]],
          );
    if (wait > 0) return limited(response, operation, wait);
    if (operation === 'status') {
      run.statusCalls += 1;
      const status = statusOf(run);
      const isUnfinished = !['completed', 'failed', 'cancelled'].includes(status);
      const startedAt = status === 'queued' && quirks.startedAtWhileQueued !== 'time' ? null : run.startedAt;
      const finishedAt = isUnfinished ? null : new Date().toISOString();
      const error = status === 'failed' ? { error: quirks.error ?? 'Node "score" failed: no answer' } : {};
      return send(response, operation, 200, {
        success: true,
        data: { status, startedAt, finishedAt, ...error },
      });
    }
    const status = statusOf(run);
    if (status !== 'completed')
      return refuse(response, operation, 400, `Workflow run is not completed. Current status: ${status}`);
    // Written by hand: an object would put keys such as "10" in another order.
    const entries = outputsOf(runId).flatMap((output) => {
      const id = quirks.rowIds === 'integer' ? String((nextRow -= 1)) : randomUUID();
      return output === undefined ? [] : [`${JSON.stringify(id)}:${JSON.stringify(output)}`];
    });
    if (quirks.entries === 'reversed') entries.reverse();
    const gap = quirks.isIndented === true ? '\n  ' : '';
    answers.push({ operation, status: 200 });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{${gap}"success":true,${gap}"data":{${gap}${entries.join(`,${gap}`)}${gap}}${gap}}`);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seenHeaders.push(request.headers);
    const body = await buffer(request);
    const [, workflowId = '', runId, part] = path.exec(request.url ?? '') ?? [];
    if (request.headers[quirks.header ?? ''] !== key)
      return refuse(response, 'refused', 401, 'Invalid API key');
    if (workflowId === 'forbidden') return refuse(response, 'refused', 403, 'No access to this workflow');
    if (!Object.hasOwn(workflows, workflowId)) return refuse(response, 'refused', 404, 'Workflow not found');
    if (runId !== undefined)
      return read(response, workflowId, runId, part === 'status' ? 'status' : 'output');
    return trigger(request, response, workflowId, body);
  };

  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  if (quirks.idleMs !== undefined) server.keepAliveTimeout = quirks.idleMs;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    key,
    quirks,
    posts,
    answers,
    seenHeaders,
    outputsOf,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
