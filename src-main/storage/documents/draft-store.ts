// Drafts of workflows, each in a file of its own in the data folder, so that nothing that was typed is lost.
import { join } from 'node:path';
import { draftSchema, type Draft } from '../../domain/authoring/create/draft.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import { textHash } from '../../files/text-file.ts';
import { previousOf } from '../durable/durable-files.ts';
import { JsonFile } from '../durable/json-file.ts';
import type { StoreDeps } from '../durable/store-deps.ts';

export class DraftStore {
  readonly #deps: StoreDeps;
  readonly #folder: string;

  constructor(deps: StoreDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  /** Undefined if there is none; one that is damaged is reported and left where it is. */
  async read(workflowId: string): Promise<Draft | undefined> {
    try {
      return (await this.#file(workflowId).read()) ?? undefined;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#deps.report(error.message);
      return undefined;
    }
  }

  /** Every workflow with a draft that can be read. */
  async list(): Promise<readonly Pick<Draft, 'workflowId' | 'at'>[]> {
    const { fileSystem } = this.#deps;
    if ((await fileSystem.stat(this.#folder)) === undefined) return [];
    const names = await fileSystem.list(this.#folder);
    const ids = names.flatMap((name) => /^(.+)-[0-9a-f]{8}\.json$/.exec(name)?.[1] ?? []);
    const drafts = await Promise.all(ids.map((id) => this.read(id)));
    return drafts.flatMap((draft) =>
      draft === undefined ? [] : [{ workflowId: draft.workflowId, at: draft.at }],
    );
  }

  /** Replaces the workflow's draft; durable when it resolves. Throws `disk_full`, `store_degraded`. */
  async keep(draft: Draft): Promise<void> {
    await this.#deps.health.attempt(() => this.#deps.files.makeFolder(this.#folder));
    await this.#file(draft.workflowId).write(draft);
  }

  /** Content if there is none. Throws `store_degraded`. */
  async drop(workflowId: string): Promise<void> {
    const { fileSystem, health } = this.#deps;
    const path = this.#path(workflowId);
    if ((await fileSystem.stat(this.#folder)) === undefined) return;
    await health.attempt(async () => {
      // First: without the newer file, the older one would be the draft.
      await fileSystem.remove(previousOf(path));
      await fileSystem.remove(path);
      await fileSystem.syncFolder(this.#folder);
    });
  }

  #file(workflowId: string): JsonFile<Draft> {
    const path = this.#path(workflowId);
    return new JsonFile(this.#deps, { path, label: `the draft of ${workflowId}`, schema: draftSchema });
  }

  #path = (workflowId: string): string => join(this.#folder, `${idStem(workflowId)}.json`);
}

/** A name for what belongs to a workflow. Ids that differ only in case, which some disks take for the same, get two names. */
export const idStem = (workflowId: string): string => `${workflowId}-${textHash(workflowId).slice(0, 8)}`;
