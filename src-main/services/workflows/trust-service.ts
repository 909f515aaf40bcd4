// The user's decisions: which imported workflows may run, and which networks each workflow's calls may reach. They are
// stored apart from the files. Who calls: code that starts a workflow (`assertTrusted`), the broker (`networkOf`), the
// control API (the rest). INVARIANT: an imported workflow without a stored decision is untrusted.
import { isoTime, type Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { workflowIsOwn, workflowUntrusted } from '../../domain/workflow-errors.ts';
import { findReach, reachBeyond, reachKeys } from '../../domain/trust/reach.ts';
import {
  defaultNetwork,
  type WorkflowRecord,
  type WorkflowsFile,
} from '../../domain/trust/workflows-file.ts';
import { addressClasses, type AddressClass } from '../../domain/upstream/address-class.ts';
import type { Document } from '../ports.ts';
import type { LoadedWorkflow } from './workflow-service.ts';

type TrustDeps = {
  readonly document: Document<WorkflowsFile>;
  readonly clock: Clock;
  readonly log: Log;
};

/** `further`: what a workflow that was trusted reaches now beyond what was seen then; empty for one never trusted. */
export type Standing =
  | { readonly kind: 'own' }
  | { readonly kind: 'trusted'; readonly at: string }
  | { readonly kind: 'untrusted'; readonly further: readonly string[] };

export class TrustService {
  /** Ids of workflows about which something was decided. */
  readonly events: Emitter<string>;
  readonly #deps: TrustDeps;

  constructor(deps: TrustDeps) {
    this.#deps = deps;
    this.events = new Emitter((error) => deps.log.error({ error }, 'a listener to trust failed'));
  }

  standingOf(loaded: LoadedWorkflow): Standing {
    if (typeof loaded.location !== 'object') return { kind: 'own' };
    // A file that calls itself something else than it was imported as is not the one that was seen.
    const trusted = loaded.id === loaded.location.importedAs ? this.#record(loaded.id)?.trusted : undefined;
    if (trusted === undefined) return { kind: 'untrusted', further: [] };
    // The user may edit a trusted workflow; another file in its place must not reach further.
    const isSeen = [trusted.hash, ...(trusted.profileHashes ?? [])].includes(loaded.hash);
    const further = isSeen ? [] : beyond(loaded, trusted.reach);
    return further.length === 0 ? { kind: 'trusted', at: trusted.at } : { kind: 'untrusted', further };
  }

  /** Throws `workflow_untrusted`. */
  assertTrusted(loaded: LoadedWorkflow): void {
    const standing = this.standingOf(loaded);
    if (standing.kind === 'untrusted') throw workflowUntrusted(loaded.id, standing.further);
  }

  /**
   * Lets the workflow run as it is now. Durable when it resolves. Throws `invalid_input` for one that is no import.
   * @param withProfiles the workflow with the values of each profile that was seen
   */
  async trust(loaded: LoadedWorkflow, withProfiles: readonly LoadedWorkflow[] = []): Promise<void> {
    assertImported(loaded);
    const { hash } = loaded;
    const profileHashes = withProfiles.map((each) => each.hash).filter((each) => each !== hash);
    const trusted = {
      hash,
      at: isoTime(this.#deps.clock),
      ...(profileHashes.length === 0 ? {} : { profileHashes }),
      reach: [...new Set([loaded, ...withProfiles].flatMap(keysOf))],
    };
    await this.#change(loaded.id, (record) => ({ ...record, trusted }));
  }

  /** The next run is refused; those that were accepted go on. Throws `invalid_input` for a workflow that is no import. */
  async revoke(loaded: LoadedWorkflow): Promise<void> {
    assertImported(loaded);
    await this.#change(loaded.id, withoutTrust);
  }

  /** Forgets whatever was decided under this id: another file is about to have it. */
  async beginImport(workflowId: string): Promise<void> {
    const importedAt = isoTime(this.#deps.clock);
    await this.#change(workflowId, ({ id }) => ({ id, importedAt }));
  }

  networkOf(workflowId: string): readonly AddressClass[] {
    return this.#record(workflowId)?.network ?? defaultNetwork;
  }

  /** Adds and removes classes; resolves to the granted ones. */
  async grant(
    workflowId: string,
    { allow, deny }: { readonly allow: readonly AddressClass[]; readonly deny: readonly AddressClass[] },
  ): Promise<readonly AddressClass[]> {
    await this.#change(workflowId, (record) => {
      const before = record.network ?? defaultNetwork;
      const network = addressClasses.filter(
        (each) => !deny.includes(each) && (before.includes(each) || allow.includes(each)),
      );
      return { ...record, network };
    });
    return this.networkOf(workflowId);
  }

  #record(workflowId: string): WorkflowRecord | undefined {
    return this.#deps.document.value.workflows.find(({ id }) => id === workflowId);
  }

  async #change(workflowId: string, change: (record: WorkflowRecord) => WorkflowRecord): Promise<void> {
    await this.#deps.document.update((file) => {
      const others = file.workflows.filter(({ id }) => id !== workflowId);
      const record = file.workflows.find(({ id }) => id === workflowId) ?? { id: workflowId };
      const workflows = [...others, change(record)].sort((one, other) => (one.id < other.id ? -1 : 1));
      return { ...file, workflows };
    });
    this.events.emit(workflowId);
  }
}

function withoutTrust({ id, importedAt, network }: WorkflowRecord): WorkflowRecord {
  return {
    id,
    ...(importedAt === undefined ? {} : { importedAt }),
    ...(network === undefined ? {} : { network }),
  };
}

function assertImported({ id, location }: LoadedWorkflow): void {
  if (typeof location !== 'object') throw workflowIsOwn(id);
}

/** Reach that the user has not seen; empty for a file with errors, which cannot run. */
const beyond = ({ workflow }: LoadedWorkflow, seen: readonly string[]): readonly string[] =>
  workflow === undefined ? [] : reachBeyond(findReach(workflow), seen);

const keysOf = ({ workflow }: LoadedWorkflow): string[] =>
  workflow === undefined ? [] : [...reachKeys(findReach(workflow))];
