// Checks whether a run may start, and opens it for its rows. Who calls: RunService.
import type { Clock } from '../../base/clock.ts';
import { hostedNotForTeams, notForHosted } from '../../domain/hosted-errors.ts';
import { chainIdOf, rowsOfChain, type RunPart } from '../../domain/run/chain.ts';
import type { ReadAs } from '../../domain/run/read-as.ts';
import type { Run, RunOrigin, SourceRef } from '../../domain/run/run.ts';
import { readScenario } from '../../domain/scenarios/parse-scenario.ts';
import type { Settings } from '../../domain/settings.ts';
import { assertValid, type LoadedWorkflow } from '../workflows/workflow-service.ts';
import { inProfile, serverProfile } from '../workflows/profile-service.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import { workflowInvalid } from '../../domain/workflow-errors.ts';
import { variableValues } from '../../domain/workflow/workflow.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import { NewRun, ownInputsOf, type RunInputs } from './new-run.ts';
import type { PlanCache } from './plan-cache.ts';
import type { RunExecutionStore, RunRecords, Snapshots, StoreHealth } from '../ports.ts';
import type { Source, SourceService } from '../workflows/source-service.ts';
import type { TrustService } from '../workflows/trust-service.ts';
import { v7 as uuid } from 'uuid';

/** A run to be accepted. */
export type RunRequest = {
  readonly workflow: LoadedWorkflow;
  readonly origin: RunOrigin;
  /** Bytes of rows that the client declares, for the free-space check. */
  readonly expectedBytes?: number | undefined;
  readonly repeats?: Run;
  /** Its rows of those of the repeated run; absent: all. */
  readonly part?: RunPart | undefined;
  /** The node that the run is repeated from. */
  readonly from?: string;
  /** The run has the rows that the repeated sample left out. */
  readonly isRest?: true;
  /** How the file of the rows was read. */
  readonly readAs?: ReadAs | undefined;
  readonly inputs?: RunInputs;
  /** Without a profile in `inputs`, not even the server's. */
  readonly usesDefaults?: true;
};

export type HostedGate = {
  /** Throws `invalid_input` for a service that cannot get runs. */
  assertConnection(name: string): void;
  /** Throws `move_not_allowed` if an attempt of the chain has not ended at its service. */
  assertNoneOf(chainId: string): void;
};

type RunAdmissionDeps = {
  readonly store: RunRecords & RunExecutionStore;
  readonly snapshots: Snapshots;
  readonly plans: PlanCache;
  readonly health: StoreHealth;
  readonly trust: TrustService;
  readonly sources: SourceService;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly parser: FileParser;
  /** Absent: runs are sent to no hosted service. */
  readonly hosted?: HostedGate | undefined;
  /** Called with a run once all its rows are stored. */
  readonly onAccepted: (run: Run) => void;
};

export class RunAdmission {
  readonly #deps: RunAdmissionDeps;
  /** Hashes of the texts that runs need whose rows are still arriving, by run id. */
  readonly #arrivingHashes = new Map<string, readonly string[]>();
  readonly #ids: RunIds;

  constructor(deps: RunAdmissionDeps) {
    this.#deps = deps;
    this.#ids = new RunIds(deps.store.newestRunId);
  }

  /** Hashes of texts that retention must not remove, because runs need them that are not stored yet. */
  retainedHashes(): readonly string[] {
    return [...this.#arrivingHashes.values()].flat();
  }

  /**
   * Opens a new run for its rows. Throws `workflow_untrusted`, `workflow_invalid`, `store_degraded`, `disk_full`, or
   * `invalid_input` for mocks that the workflow does not have. A repeated run keeps the inputs of its original.
   */
  async open(request: RunRequest): Promise<NewRun> {
    const { repeats, from } = request;
    const inputs = await this.#inputsOf(request);
    this.#assertHosted(request, inputs);
    const { store, snapshots, plans, health, clock, trust, parser, onAccepted } = this.#deps;
    const loaded = await inProfile(request.workflow, inputs.profile, parser);
    trust.assertTrusted(loaded);
    const workflow = assertValid(loaded);
    health.assertWritable();
    const { mocks, mode, profile } = inputs;
    const { dependencies, sources, called } = await this.#deps.sources.resolve(loaded, {
      mocks,
      mode,
      profile,
    });
    for (const other of called) trust.assertTrusted(other);
    const accepted = { workflowHash: loaded.hash, sources: sources.map(refOf), ...inputs };
    plans.addValidated(accepted, workflow, dependencies);
    const metadata = {
      runId: this.#ids.next(clock.now()),
      workflowId: loaded.id,
      workflowHash: loaded.hash,
      sources: accepted.sources,
      origin: request.origin,
      ...(repeats === undefined ? {} : { repeats, chainRows: await this.#chainRows(repeats) }),
      ...(request.part === undefined ? {} : { part: request.part }),
      ...(from === undefined ? {} : { from }),
      ...(request.isRest === undefined ? {} : { isRest: true as const }),
      ...(request.readAs === undefined ? {} : { readAs: request.readAs }),
      ...(workflow.vars.length === 0 ? {} : { vars: variableValues(workflow) }),
      ...inputs,
    };
    this.#arrivingHashes.set(metadata.runId, [loaded.hash, ...sources.map(({ hash }) => hash)]);
    const onEnded = (): void => void this.#arrivingHashes.delete(metadata.runId);
    try {
      await snapshots.put(loaded.hash, loaded.source, 'workflow');
      for (const { hash, text, table } of sources)
        await snapshots.put(hash, text, table === undefined ? 'workflow' : 'table');
      const writer = await store.openRunWriter(request.expectedBytes);
      return new NewRun({ writer, metadata, clock, onEnded, onAccepted });
    } catch (error) {
      onEnded();
      throw error;
    }
  }

  #assertHosted({ repeats, from }: RunRequest, { hosted }: RunInputs): void {
    const gate = this.#deps.hosted;
    if (repeats !== undefined) gate?.assertNoneOf(chainIdOf(repeats));
    if (hosted === undefined) return;
    if (gate === undefined) throw hostedNotForTeams();
    gate.assertConnection(hosted.connection);
    if (from !== undefined) throw notForHosted('node to begin with');
  }

  async #chainRows(repeats: Run): Promise<number> {
    const first = await this.#deps.store.find(chainIdOf(repeats));
    return rowsOfChain(first?.run ?? repeats);
  }

  /** Inputs of a run. Without a requested scenario, a new run has that of the setting, and a repeated one that of its original. */
  async #inputsOf(request: RunRequest): Promise<RunInputs> {
    const { inputs, repeats, workflow } = request;
    const requested = inputs ?? repeats ?? {};
    // Nothing of it executes here.
    if (requested.hosted !== undefined) return { hosted: requested.hosted };
    const profile = await this.#profileOf(request);
    const { workflows } = this.#deps.settings().scenarios;
    const text = Object.hasOwn(workflows, workflow.id) ? workflows[workflow.id] : undefined;
    const isForSetting = repeats === undefined && requested.scenario === undefined && text !== undefined;
    return {
      ...ownInputsOf(isForSetting ? { ...requested, scenario: readScenario(text) } : requested),
      ...(profile === undefined ? {} : { profile }),
    };
  }

  /** Throws `workflow_invalid` for the server's profile that cannot be used: no client can put that right. */
  async #profileOf({ workflow, inputs, repeats, usesDefaults }: RunRequest): Promise<Profile | undefined> {
    if (inputs?.profile !== undefined) return inputs.profile;
    if (usesDefaults === true) return undefined;
    if (repeats !== undefined) return repeats.profile;
    const { settings, parser } = this.#deps;
    const { profile, problem } = await serverProfile(workflow, settings().profile, parser);
    if (problem !== undefined) throw workflowInvalid(workflow.id, [problem]);
    return profile;
  }
}

const refOf = ({ workflowId, table, hash }: Source): SourceRef => ({
  workflowId,
  ...(table === undefined ? {} : { table }),
  hash,
});

/** Run ids that sort in the order in which they were made, whatever the wall clock does. */
class RunIds {
  #lastMs: number;

  /** @param newest the newest id that is stored; a clock that was set back makes none before it */
  constructor(newest: string | undefined) {
    this.#lastMs = newest === undefined ? 0 : timeIn(newest);
  }

  /** @param now wall time in ms: what the id begins with, or the time of the id before it and one more */
  next(now: number): string {
    this.#lastMs = Math.min(longestTime, Math.max(now, this.#lastMs + 1));
    return uuid({ msecs: this.#lastMs });
  }
}

/** The first 48 bits of a UUID of version 7 are a time in ms. */
const longestTime = 2 ** 48 - 1;
const versionAt = 14;

const timeIn = (id: string): number =>
  id[versionAt] === '7' ? Number.parseInt(id.slice(0, 13).replace('-', ''), 16) : 0;
