// A run while its rows are still arriving. It leaves nothing behind unless it is accepted.
import { randomInt } from 'node:crypto';
import { isoTime, type Clock } from '../../base/clock.ts';
import { countLines, newline } from '../../domain/rows/line-bytes.ts';
import type { RunMode } from '../../domain/run/run-mode.ts';
import type { RunOrigin, Run, SourceRef } from '../../domain/run/run.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import type { ReadAs } from '../../domain/run/read-as.ts';
import { chainIdOf, joinsChain, type RunPart } from '../../domain/run/chain.ts';
import type { HostedAttempt } from '../../domain/hosted/hosted-attempt.ts';
import { rerunKind } from '../../domain/run/rerun-kind.ts';
import type { MockChoice } from '../../domain/workflow/choose-mocks.ts';
import type { ArrivingRows, RunWriter } from '../../domain/run/stored-run.ts';
import type { Accepted } from './plan-cache.ts';

type RunMetadata = {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowHash: string;
  readonly sources: readonly SourceRef[];
  readonly origin: RunOrigin;
  /** The run that is repeated; with its seed, code gets the same random numbers and time. */
  readonly repeats?: Run;
  /** Rows of the chain of the run that is repeated. */
  readonly chainRows?: number;
  readonly part?: RunPart;
  /** The node that a run is repeated from. */
  readonly from?: string;
  readonly isRest?: true;
  readonly readAs?: ReadAs;
  /** Values of the workflow's variables. */
  readonly vars?: Run['vars'];
} & RunInputs;

/** Options of a run; stored in its record, so that restarts and reruns use the same. */
export type RunInputs = {
  readonly mocks?: MockChoice;
  readonly mode?: RunMode;
  readonly clock?: 'virtual';
  readonly scenario?: Scenario;
  readonly profile?: Profile;
  /** The hosted service at which the run is; absent: it executes here. */
  readonly hosted?: Pick<HostedAttempt, 'connection'> | undefined;
};

/** The inputs alone, those that are there. */
export const inputsOf = (run: Run | RunInputs): RunInputs => ({
  ...ownInputsOf(run),
  ...(run.profile === undefined ? {} : { profile: run.profile }),
});

/** The inputs without the profile. */
export const ownInputsOf = ({ mocks, mode, clock, scenario, hosted }: Run | RunInputs): RunInputs => ({
  ...(mocks === undefined ? {} : { mocks }),
  ...(mode === undefined ? {} : { mode }),
  ...(clock === undefined ? {} : { clock }),
  // An empty scenario means: none.
  ...(scenario === undefined || Object.keys(scenario).length === 0 ? {} : { scenario }),
  ...(hosted === undefined ? {} : { hosted: { connection: hosted.connection } }),
});

type NewRunDeps = {
  readonly writer: RunWriter;
  readonly metadata: RunMetadata;
  readonly clock: Clock;
  readonly onAccepted: (run: Run) => void;
  readonly onEnded: () => void;
};

export class NewRun {
  readonly #deps: NewRunDeps;
  #rowsWithReusedValues = 0;
  #sample: Run['sample'];
  #keepsNumbers = false;
  #readAs: ReadAs | undefined;

  constructor(deps: NewRunDeps) {
    this.#deps = deps;
    this.#readAs = deps.metadata.readAs;
  }

  /** The fields that determine the run's plan. */
  get accepted(): Accepted {
    const { workflowHash, sources, mocks, mode } = this.#deps.metadata;
    return { workflowHash, sources: [...sources], mocks, mode };
  }

  get runId(): string {
    return this.#deps.metadata.runId;
  }

  /** Notes that the run has a part of the rows of a set. */
  setSample(sample: NonNullable<Run['sample']>): void {
    this.#sample = sample;
  }

  /** Notes that the rows have the numbers that they have in the run that is repeated. */
  keepNumbers(): void {
    this.#keepsNumbers = true;
  }

  /** Notes how the file of the rows was read, once that is known. */
  setReadAs(readAs: ReadAs): void {
    this.#readAs = readAs;
  }

  /** Takes rows as lines of JSON, each ended by a newline; a call may end inside a line. */
  write(lines: Uint8Array): Promise<void> {
    return this.#deps.writer.append({ bytes: lines });
  }

  /** The numbers of all rows, before the first one is written; without them rows are counted from 1. */
  setNumbers(numbers: readonly number[]): void {
    this.#deps.writer.setNumbers(numbers);
  }

  /** Makes the run durable, then queues it. From here on it is never lost. */
  async accept(rows: number): Promise<Run> {
    const { metadata, clock, writer } = this.#deps;
    const acceptedAt = isoTime(clock);
    const { hosted, ...inputs } = inputsOf(metadata);
    const run: Run = {
      version: 1,
      runId: metadata.runId,
      workflowId: metadata.workflowId,
      workflowHash: metadata.workflowHash,
      origin: metadata.origin,
      rows,
      acceptedAt,
      startedAt: acceptedAt,
      seed: metadata.repeats?.seed ?? { random: randomInt(2 ** 32), time: clock.now() },
      fruitlessRecoveries: 0,
      rowsAtRecovery: 0,
      status: 'queued',
      finishedAt: null,
      ...(metadata.sources.length === 0 ? {} : { sources: [...metadata.sources] }),
      ...this.#rerunLink(rows),
      ...(metadata.from === undefined
        ? {}
        : { from: { nodeId: metadata.from, rows: this.#rowsWithReusedValues } }),
      ...(this.#sample === undefined ? {} : { sample: this.#sample, part: 'sample' }),
      ...(metadata.isRest === undefined ? {} : { isRest: true }),
      ...(this.#readAs === undefined ? {} : { readAs: this.#readAs }),
      ...(metadata.vars === undefined ? {} : { vars: metadata.vars }),
      ...inputs,
      ...(hosted === undefined ? {} : { hosted: { ...hosted, seen: [] } }),
    };
    try {
      await writer.commit(run);
    } finally {
      this.#deps.onEnded();
    }
    this.#deps.onAccepted(run);
    return run;
  }

  #rerunLink(rows: number): Pick<Run, 'rerunOf' | 'rerunKind' | 'chainId' | 'part'> {
    const { repeats, part, chainRows = repeats?.rows ?? 0, ...inputs } = this.#deps.metadata;
    if (repeats === undefined) return {};
    const keepsNumbers = this.#keepsNumbers;
    const kind = rerunKind(repeats, inputs, { keepsNumbers });
    const chainId = chainIdOf(repeats);
    const repeated = {
      isFirst: chainId === repeats.runId,
      rows: repeats.rows,
      hasOutput: repeats.finishedAt === null || repeats.counts.rowsDone > 0,
      chainRows,
    };
    return {
      rerunOf: repeats.runId,
      rerunKind: kind,
      ...(joinsChain({ kind, part, rows }, repeated) ? { chainId } : {}),
      ...(part === undefined ? {} : { part }),
    };
  }

  /**
   * Takes all rows and accepts them; leaves nothing behind when that fails.
   * @param chunks rows as `write` takes them, the last line ended too; or with the numbers that they keep
   * @param check gets the number of rows and throws to refuse them
   */
  async acceptAll(
    chunks: AsyncIterable<Uint8Array | ArrivingRows>,
    check: (rows: number) => void = () => undefined,
  ): Promise<Run> {
    try {
      let rows = 0;
      for await (const chunk of chunks) {
        const piece: ArrivingRows = chunk instanceof Uint8Array ? { bytes: chunk } : chunk;
        rows += countLines(piece.bytes);
        await this.#writePiece(piece);
      }
      check(rows);
      return await this.accept(rows);
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  async #writePiece({ bytes, numbers, reused }: ArrivingRows): Promise<void> {
    await this.#deps.writer.append({ bytes, numbers, reused });
    if (reused === undefined) return;
    this.#rowsWithReusedValues += countLines(reused) - countEmptyLines(reused);
  }

  async abandon(): Promise<void> {
    this.#deps.onEnded();
    await this.#deps.writer.abandon();
  }
}

function countEmptyLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1))
    if (at === 0 || bytes[at - 1] === newline) lines += 1;
  return lines;
}
