// The real services over a disk and a store in memory, with workers without processes. The test starts verbs without
// waiting for them.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-main/base/app-error.ts';
import type { CancelTimer, Clock } from '../../../src-main/base/clock.ts';
import { silentLog, type Log } from '../../../src-main/base/log.ts';
import { Mutex } from '../../../src-main/base/mutex.ts';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import { rowNumberAt } from '../../../src-main/domain/run/row-numbers.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { Scenario } from '../../../src-main/domain/scenarios/scenario.ts';
import { defaultSettings, type Settings } from '../../../src-main/domain/settings.ts';
import { WorkerPool } from '../../../src-main/executor/pool/worker-pool.ts';
import type { RunRecord } from '../../../src-main/services/ports.ts';
import { openSources } from '../../../src-main/services/workflows/source-service.ts';
import { moveRuns } from '../../../src-main/services/runs/move-runs.ts';
import { PlanCache } from '../../../src-main/services/runs/plan-cache.ts';
import type { ExecutionDeps } from '../../../src-main/services/runs/open-execution.ts';
import { LocalRuns } from '../../../src-main/services/runs/local-runs.ts';
import { RunService } from '../../../src-main/services/runs/run-service.ts';
import { TrustService } from '../../../src-main/services/workflows/trust-service.ts';
import { WorkflowService } from '../../../src-main/services/workflows/workflow-service.ts';
import { openDataFolder, type DataFolder } from '../../../src-main/storage/data-folder.ts';
import type { RunDatabase } from '../../../src-main/storage/runs/run-database.ts';
import type { RunStore } from '../../../src-main/storage/runs/run-store.ts';
import { StoreHealth } from '../../../src-main/storage/runs/store-health.ts';
import { WorkflowFiles } from '../../../src-main/storage/documents/workflow-files.ts';
import { immediateParser } from '../immediate-parser.ts';
import { FakeClock } from '../fake-clock.ts';
import { seededRandom } from '../seeded-random.ts';
import { PowerCutFileSystem, type Cut } from '../power-cut-file-system.ts';
import { memoryDatabase, openMemoryStores } from '../store-thread-double.ts';
import { isOver, Ledger, type Change, type Known } from './ledger.ts';
import { outsideDouble } from './outside-double.ts';
import { Pending, quiet } from './pending.ts';
import { flows, minute, workflowText, type Flow, type ModelRow } from './rows.ts';
import { SlowFileSystem } from './slow-file-system.ts';
import { WorkerDouble } from './worker-double.ts';

export type WorldOptions = {
  readonly runsAtOnce: number;
  readonly maxWorkers: number;
  /** Average number of delays per hundred disk calls; one call may be delayed twice. */
  readonly slowCalls: number;
  readonly seed: number;
};

type KnownRows = Pick<Known, 'rows' | 'numbers'>;
export type Verb = 'pause' | 'resume' | 'cancel';

/** One process: what is gone when it ends. */
type Life = {
  readonly fileSystem: SlowFileSystem;
  readonly folder: DataFolder;
  readonly database: RunDatabase;
  readonly runs: RunService;
  /** Resolves when the runs of the process before are taken up; nothing is asked of a process earlier. */
  readonly recovered: Promise<void>;
  isRecovered: boolean;
  readonly pool: WorkerPool;
  readonly workers: WorkerDouble[];
  readonly clock: LifeClock;
  /** Verbs that have not been answered. */
  unanswered: number;
  /** Starts and reruns among them. */
  rowsArriving: number;
  isEnding: boolean;
};

/** The time of one process: its timers end with it. */
class LifeClock implements Clock {
  readonly #time: FakeClock;
  #isOver = false;

  constructor(time: FakeClock) {
    this.#time = time;
  }

  now = (): number => this.#time.now();
  monotonic = (): number => this.#time.monotonic();
  setTimer = (ms: number, fire: () => void): CancelTimer =>
    this.#time.setTimer(ms, () => {
      if (!this.#isOver) fire();
    });

  end(): void {
    this.#isOver = true;
  }
}

/** In memory; the machine has a folder of that name too, whose kind of disk an opened data folder asks for. */
const data = tmpdir();
const texts = '/workflows';
const origin = { kind: 'cli' } as const;

export class World {
  readonly ledger: Ledger;
  readonly #options: WorldOptions;
  readonly #random: () => number;
  readonly #time = new FakeClock();
  readonly #texts = new PowerCutFileSystem();
  readonly #workflows = new WorkflowService({
    parser: immediateParser,
    files: new WorkflowFiles({ folders: [texts], fileSystem: this.#texts }),
    log: silentLog,
  });
  readonly #reading = new Mutex();
  #disk = new PowerCutFileSystem();
  /** Committed data, which survives every power cut. */
  readonly #stored = memoryDatabase();
  #observing: Promise<RunStore> | undefined;
  #pending = new Pending();
  #isSlow = false;
  #life: Life | undefined;
  #version = 0;

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.ledger = new Ledger(options.runsAtOnce, this.#time);
    // Each run has a version of its own, so that a worker's plan tells a run from its reruns.
    const find = this.#workflows.find.bind(this.#workflows);
    this.#workflows.find = (id) =>
      this.#reading.run(async () => {
        await this.#writeWorkflows();
        return find(id);
      });
  }

  static async open(options: WorldOptions): Promise<World> {
    const world = new World(options);
    await world.#texts.makeFolder(texts);
    await world.#writeWorkflows();
    await world.#begin();
    return world;
  }

  /** Rows of a new run are fired at the process like a verb. */
  start(flow: Flow, rows: readonly ModelRow[], scenario: Scenario): void {
    void this.#fire(async ({ runs }) => {
      const workflow = await this.#workflows.find(flow);
      if (workflow === undefined) throw new Error('no such workflow');
      const draft = await runs.beginRun({ workflow, origin, inputs: { scenario } });
      await draft.write(Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
      const run = await draft.accept(rows.length);
      await this.#expectKnown(run, { rows, numbers: rows.map((_, index) => index + 1) });
    }, 1);
  }

  verb(verb: Verb, index: number): void {
    const known = this.#knownAt(index);
    if (known === undefined) return;
    const { runId } = known.run;
    const seen: Change[] = [];
    const wasStale = known.isStale;
    const before = known.run.status;
    if (verb === 'cancel') known.isCancelRequested = true;
    const forget = this.ledger.onChange((change) => {
      if (change.runId === runId) seen.push(change);
    });
    void this.#fire(async (life) => {
      try {
        await life.runs[verb](runId);
        if (!wasStale && !seen.some((change) => isMoveOf(verb, change)))
          this.ledger.fault(`${verb} was answered without a move`);
      } catch (error) {
        const isRefusal = error instanceof AppError && error.code === 'move_not_allowed';
        if (life.isEnding && isRefusal) return;
        const statuses = [before, ...seen.map(({ to }) => to)];
        const isRight = wasStale || statuses.some((status) => !allows(verb, status));
        if (!isRefusal || !isRight)
          this.ledger.fault(`${verb} of a ${statuses.join(', ')} run: ${String(error)}`);
      } finally {
        forget();
      }
    });
  }

  /** One verb on all runs of a workflow; each is answered for by itself. */
  bulk(verb: Verb, workflowId: Flow): void {
    const seen: Change[] = [];
    const wasStale = [...this.ledger.runs.values()].some(({ isStale }) => isStale);
    const forget = this.ledger.onChange((change) => seen.push(change));
    if (verb === 'cancel') {
      for (const known of this.ledger.runs.values())
        if (known.run.workflowId === workflowId) known.isCancelRequested = true;
    }
    void this.#fire(async ({ runs }) => {
      const order = { verb, filter: { workflowId }, limit: 1000, rows: 'all', origin } as const;
      const { results } = await moveRuns(runs, order).finally(forget);
      for (const { runId, outcome, status, reason } of results) {
        const hasMoved = seen.some((change) => change.runId === runId && isMoveOf(verb, change));
        if (outcome === 'moved' && !hasMoved && !wasStale) this.ledger.fault(`${verb} of many moved nothing`);
        if (outcome === 'refused' && (reason === undefined || status === undefined))
          this.ledger.fault(`${verb} of many was refused without a reason`);
        if (outcome === 'left') this.ledger.fault(`${verb} of many left a run of the workflow`);
      }
    });
  }

  /** A rerun of every other row, fixed. */
  rerunEdited(index: number): void {
    const known = this.#knownAt(index);
    if (known === undefined) return;
    void this.#fire(async ({ runs }) => {
      const isEdited = (_: unknown, row: number): boolean => row % 2 === 0;
      const rows = known.rows.filter(isEdited).map(({ n }): ModelRow => ({ n, does: 'done' }));
      const numbers = known.numbers.filter(isEdited);
      // Its rows are read when it was told of, and that may not be over.
      if (rows.length === 0) return;
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      const { run } = await runs.rerun(known.run.runId, { lines, numbers }, origin);
      await this.#expectKnown(run, { rows, numbers });
    }, 1);
  }

  rerun(index: number, which: 'all' | 'failed'): void {
    const known = this.#knownAt(index);
    if (known === undefined) return;
    const before = known.run.status;
    void this.#fire(async (life) => {
      const left = async (): Promise<KnownRows> => {
        const lines = await this.#storedLines(known.run.runId);
        const isLeft = (_: unknown, row: number): boolean => which === 'all' || (lines[row] ?? '') === '';
        return { rows: known.rows.filter(isLeft), numbers: known.numbers.filter(isLeft) };
      };
      try {
        const { run } = await life.runs.rerun(known.run.runId, which, origin);
        if (run.rerunOf !== known.run.runId || run.seed.random !== known.run.seed.random)
          this.ledger.fault('a rerun is not linked');
        await this.#expectKnown(run, await left());
      } catch (error) {
        const code = error instanceof AppError ? error.code : 'none';
        const isEarly = code === 'move_not_allowed' && which === 'failed' && !isOver(before);
        const isNothing =
          code === 'invalid_input' && isOver(known.run.status) && (await left()).rows.length === 0;
        if (!isEarly && !isNothing) this.ledger.fault(`rerun of a ${before} run: ${String(error)}`);
      }
    }, 1);
  }

  let(choice: number): Promise<void> {
    return this.#pending.let(choice);
  }

  letAll(): Promise<void> {
    return this.#pending.letAll(this.#random);
  }

  async advance(ms: number): Promise<void> {
    this.#time.advance(ms);
    await quiet();
  }

  killWorker(index: number): void {
    this.ledger.isDisturbed = true;
    const living = this.#life?.workers.filter((worker) => !worker.isDead) ?? [];
    living[index % Math.max(1, living.length)]?.die();
  }

  /** The process ends in order, whatever is under way, and another one begins. */
  async restart(): Promise<void> {
    const life = this.#life;
    if (life === undefined) return;
    // Requests are drained before the services close; a verb may still be under way.
    for (let round = 0; (life.rowsArriving > 0 || !life.isRecovered) && round < 20; round += 1)
      await this.letAll();
    life.isEnding = true;
    const closed = this.#close(life);
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    for (let round = 0; !isClosed && round < 20; round += 1) await this.letAll();
    if (!isClosed) return this.ledger.fault('the services do not close');
    life.fileSystem.close();
    await this.letAll();
    if (life.workers.some((worker) => !worker.isDead)) this.ledger.fault('a worker is left');
    life.fileSystem.die();
    this.#endProcess();
    await this.#begin();
  }

  /** The process is gone in the middle of it; with a cut, the power too. */
  async crash(cut: Cut): Promise<void> {
    // What was answered by then has been heard.
    await quiet();
    this.#life?.fileSystem.die();
    this.#endProcess();
    this.#disk = this.#disk.afterCut(cut);
    await this.#begin();
  }

  /** No faults any more, everything may happen: every run must come to an end. */
  async toTheEnd(): Promise<void> {
    this.#isSlow = false;
    for (let round = 0; round < 300; round += 1) {
      await this.letAll();
      const known = [...this.ledger.runs.values()];
      if (known.every(({ run }) => isOver(run.status)) || this.ledger.faults.length > 0) break;
      known.forEach(({ run }, index) => {
        if (run.status === 'paused') this.verb('resume', index);
      });
      await this.letAll();
      await this.advance(10 * minute);
    }
    // A run that its scenario ended at once may be over before its start is answered.
    await this.letAll();
    for (const { run, committed, rows } of this.ledger.runs.values()) {
      if (!isOver(run.status))
        this.ledger.fault(`stuck: ${run.runId} ${run.status}, ${committed} of ${rows.length}`);
    }
    if ((this.#life?.unanswered ?? 0) > 0) this.ledger.fault('a verb was never answered');
    await this.checkDisk();
    this.ledger.checkCalls();
  }

  /** Checks the store as another process reads it: committed rows against the model, records against the ledger. */
  async checkDisk(): Promise<void> {
    const store = await this.#observer();
    for (const known of this.ledger.runs.values()) {
      const { run, lines, committed } = known;
      const stored = await this.#storedLines(run.runId);
      const states = await store.readStates(run.runId, 1, stored.length);
      const isLeft = (row: number): boolean => states[row]?.state === 'unfinished';
      if (stored.some((line, row) => line !== (isLeft(row) ? '' : lines[row])))
        this.ledger.fault(`wrong outputs of ${run.runId}`);
      if (states.some(({ state }, row) => (state === 'done') !== (stored[row] !== '')))
        this.ledger.fault(`outputs and states differ: ${run.runId}`);
      if (stored.some((_, row) => isLeft(row) && !known.mayBeUnfinished(row + 1)))
        this.ledger.fault(`rows that had ended are not stored: ${run.runId}`);
      if (stored.length < committed) this.ledger.fault(`${committed} rows told, ${stored.length} stored`);
      if (!isOver(run.status)) continue;
      if (stored.filter((_, row) => isLeft(row)).length !== known.unfinished)
        this.ledger.fault(`told ${known.unfinished} rows as unfinished: ${run.runId}`);
      if (stored.length !== committed)
        this.ledger.fault(`a final run has ${stored.length} rows, not ${committed}`);
      const record = (await store.find(run.runId))?.run;
      if (record?.finishedAt !== run.finishedAt || record.status !== run.status)
        this.ledger.fault(`stored as ${record?.status}, told as ${run.status}`);
    }
  }

  async #storedLines(runId: string): Promise<readonly string[]> {
    const chunks: Uint8Array[] = [];
    for await (const { bytes } of (await this.#observer()).readOutputs(runId)) chunks.push(bytes);
    return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  }

  end(): void {
    this.#life?.fileSystem.die();
    this.#endProcess();
  }

  async #begin(): Promise<void> {
    this.#isSlow = false;
    this.#pending = new Pending();
    await this.#leaveStaleLock();
    const clock = new LifeClock(this.#time);
    const { runsAtOnce } = this.#options;
    const log = this.#log;
    const fileSystem = this.#slowDisk();
    const folder = await openDataFolder({ path: data, clock, log, fileSystem });
    const {
      database,
      runs: store,
      snapshots,
    } = await openMemoryStores(this.#stored, {
      health: folder.health,
      fileSystem,
      path: data,
      clock,
      run: (method, act) => fileSystem.call(`store: ${method}`, act),
    });
    const workers: WorkerDouble[] = [];
    const pool = this.#pool(workers);
    const settings = (): Settings => ({ ...defaultSettings, runsAtOnce });
    const { health, wasCrashed, retention: retentionDocument } = folder;
    const plans = new PlanCache(snapshots, immediateParser);
    const upstreamOf: ExecutionDeps['upstreamOf'] = async ({ runId }) =>
      outsideDouble(runId, this.#pending, this.ledger);
    const both = { store, plans, health, settings, clock, log };
    const local = { ...both, pool, upstreamOf, wasCrashed };
    const runs = new RunService({
      ...both,
      snapshots,
      retentionDocument,
      workflows: this.#workflows,
      trust: new TrustService({ document: folder.workflows, clock, log: silentLog }),
      sources: openSources(immediateParser),
      parser: immediateParser,
      openUnfinished: (listeners) => new LocalRuns(local, listeners),
    });
    runs.events.listen((record) => this.#hear(record));
    for (const record of await (await this.#observer()).list({})) this.#hear(record);
    this.#isSlow = this.#options.slowCalls > 0;
    const recovered = runs.recover();
    const life: Life = {
      fileSystem,
      folder,
      database,
      runs,
      recovered,
      isRecovered: false,
      pool,
      workers,
      clock,
      unanswered: 0,
      rowsArriving: 0,
      isEnding: false,
    };
    this.#life = life;
    void recovered.then(() => (life.isRecovered = true));
    await quiet();
  }

  #slowDisk(): SlowFileSystem {
    return new SlowFileSystem({
      disk: this.#disk,
      pending: this.#pending,
      waits: () => this.#isSlow && this.#random() * 200 < this.#options.slowCalls,
      onLate: (call) => this.ledger.fault(`a closed process goes on: ${call}`),
    });
  }

  #pool(workers: WorkerDouble[]): WorkerPool {
    const pending = this.#pending;
    this.ledger.isAtWork = (isOfRun) => workers.some((worker) => worker.isAtWork(isOfRun));
    return new WorkerPool({
      workerScript: '',
      clock: new FakeClock(),
      log: this.#log,
      timeLimitMs: 5000,
      memoryMb: 256,
      maxWorkers: this.#options.maxWorkers,
      startWorker: (events) => {
        const worker = new WorkerDouble(events, pending, this.ledger);
        workers.push(worker);
        return worker;
      },
    });
  }

  /** Passes a record to the ledger. For a run that is new to the ledger, its stored rows follow. */
  #hear(record: RunRecord): void {
    const isNew = !this.ledger.runs.has(record.run.runId);
    this.ledger.recordRun(record);
    if (isNew) void this.#learnRows(record.run.runId);
  }

  async #learnRows(runId: string): Promise<void> {
    const rows: ModelRow[] = [];
    const numbers: number[] = [];
    for await (const piece of (await this.#observer()).readRows(runId)) {
      const lines = Buffer.from(piece.bytes).toString().split('\n').slice(0, -1);
      rows.push(...lines.map((line) => JSON.parse(line) as ModelRow));
      numbers.push(...lines.map((_, index) => rowNumberAt(piece, index)));
    }
    this.ledger.learnRows(runId, rows, numbers);
  }

  async #expectKnown(run: Run, { rows, numbers }: KnownRows): Promise<void> {
    await quiet();
    const known = this.ledger.runs.get(run.runId);
    if (known === undefined) this.ledger.fault(`accepted and not told: ${run.runId}`);
    else if (!isDeepStrictEqual(known.rows, rows)) this.ledger.fault(`other rows are stored: ${run.runId}`);
    else if (!isDeepStrictEqual(known.numbers, numbers))
      this.ledger.fault(`other numbers are stored: ${run.runId}`);
  }

  /** Fired and not waited for. */
  async #fire(act: (life: Life) => Promise<void>, arriving: 0 | 1 = 0): Promise<void> {
    const life = this.#life;
    if (life === undefined) return;
    life.unanswered += 1;
    life.rowsArriving += arriving;
    try {
      await life.recovered;
      await act(life);
    } catch (error) {
      this.ledger.fault(String(error));
    }
    life.unanswered -= 1;
    life.rowsArriving -= arriving;
  }

  #knownAt(index: number): Known | undefined {
    const known = [...this.ledger.runs.values()];
    return known[index % Math.max(1, known.length)];
  }

  async #close({ runs, pool, database, folder }: Life): Promise<void> {
    await runs.close();
    await pool.close();
    await database.close();
    await folder.close();
  }

  #endProcess(): void {
    this.#life?.workers.forEach((worker) => worker.vanish());
    this.#life?.clock.end();
    this.#life = undefined;
    this.ledger.endProcess();
  }

  /** The lock as a process leaves it that is gone now. How locks fare in power cuts is not this story. */
  async #leaveStaleLock(): Promise<void> {
    const path = join(data, 'lock');
    for (const name of ['lock.takeover', 'lock.takeover.takeover']) await this.#disk.remove(join(data, name));
    if ((await this.#disk.stat(path)) === undefined) return;
    const file = await this.#disk.open(path, 'update');
    await file.truncate(0);
    await file.write(Buffer.from(JSON.stringify({ pid: 2 ** 30, start: 'gone', token: 'gone' })), 0);
  }

  async #writeWorkflows(): Promise<void> {
    this.#version += 1;
    for (const flow of flows) {
      const text = workflowText(flow, this.#version);
      const file = await this.#texts.open(join(texts, `${flow}.workflow.yaml`), 'update');
      await file.write(Buffer.from(text), 0);
      this.ledger.addWorkflow(text);
    }
  }

  /** A read-only store over the committed data, opened once. */
  #observer(): Promise<RunStore> {
    return (this.#observing ??= this.#observe());
  }

  async #observe(): Promise<RunStore> {
    const health = new StoreHealth(silentLog);
    const options = { health, fileSystem: this.#disk, path: data, clock: this.#time };
    return (await openMemoryStores(this.#stored, { ...options, isReadOnly: true })).runs;
  }

  readonly #log: Log = {
    ...silentLog,
    error: ({ error }, message) => this.ledger.fault(`${message}: ${String(error)}`),
  };
}

const allows = (verb: Verb, status: RunStatus): boolean =>
  verb === 'cancel'
    ? !isOver(status)
    : (verb === 'pause' ? ['queued', 'running'] : ['paused', 'pausing']).includes(status);

function isMoveOf(verb: Verb, { from, to }: Change): boolean {
  if (verb === 'cancel') return to === 'cancelled';
  const moves = verb === 'pause' ? pausedFrom : resumedFrom;
  return allows(verb, from) && (moves[from] ?? []).includes(to);
}

type Moves = Partial<Record<RunStatus, readonly RunStatus[]>>;
/** A run that is told as queued may have started. */
const pausedFrom: Moves = { queued: ['paused', 'pausing'], running: ['pausing'] };
const resumedFrom: Moves = { paused: ['queued'], pausing: ['running'] };
