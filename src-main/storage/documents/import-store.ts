// Imported workflows, each in a folder named after its id, inside the data folder's workflows. An import is staged in a
// folder next to its target and then renamed, so that it exists completely or not at all.
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { invariant } from '../../base/invariant.ts';
import { cassetteFileName } from '../../domain/workflow/file-names.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { hasCode } from '../../files/file-system.ts';
import { readWhole } from '../../files/read-bytes.ts';

/** Prefixes of staging folders. They have a dot, so they cannot be ids of workflows. */
const stagingPrefix = '.import-';
const replacedPrefix = '.replaced-';

export class ImportStore {
  readonly #deps: StoreDeps;
  readonly #folder: string;

  /** @param folder the data folder's own workflows */
  constructor(deps: StoreDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  /** Starts an import, which exists after its commit. Throws `store_degraded`. */
  async stage(id: string): Promise<StagedImport> {
    invariant(workflowIdPattern.test(id), 'an import has the id of a workflow');
    const { files, health } = this.#deps;
    const staging = join(this.#folder, `${stagingPrefix}${randomUUID()}`);
    await health.attempt(() => files.makeFolder(staging));
    return new StagedImport(this.#deps, {
      staging,
      target: join(this.#folder, id),
      aside: this.#asideOf(id),
    });
  }

  /** Removes staged imports after a crash, and restores an import whose replacement is missing. */
  async clearLeftovers(): Promise<void> {
    const { fileSystem, files } = this.#deps;
    for (const name of await this.#names()) {
      const path = join(this.#folder, name);
      if (name.startsWith(stagingPrefix)) await fileSystem.remove(path);
      if (!name.startsWith(replacedPrefix)) continue;
      const target = join(this.#folder, name.slice(replacedPrefix.length));
      if ((await fileSystem.stat(target)) === undefined) await files.rename(path, target);
      else await fileSystem.remove(path);
      await fileSystem.syncFolder(this.#folder);
    }
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await this.#deps.fileSystem.list(this.#folder);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  #asideOf(id: string): string {
    return join(this.#folder, `${replacedPrefix}${id}`);
  }
}

type ImportPaths = { readonly staging: string; readonly target: string; readonly aside: string };

export class StagedImport {
  readonly #deps: StoreDeps;
  readonly #paths: ImportPaths;

  constructor(deps: StoreDeps, paths: ImportPaths) {
    this.#deps = deps;
    this.#paths = paths;
  }

  /** Adds a file, which becomes durable with the commit. @param path relative, with "/", and checked by the caller */
  async addFile(path: string, bytes: Uint8Array): Promise<void> {
    const { fileSystem, files, health } = this.#deps;
    const target = join(this.#paths.staging, ...path.split('/'));
    await health.attempt(async () => {
      await files.makeFolder(dirname(target));
      await files.create(target, bytes);
      await fileSystem.syncFolder(dirname(target));
    });
  }

  /** Moves the import to its target, durably, and replaces an earlier import. Throws `store_degraded`. */
  async commit(): Promise<void> {
    const { fileSystem, files, health } = this.#deps;
    const { staging, target, aside } = this.#paths;
    await health.attempt(async () => {
      const isReplaced = (await fileSystem.stat(target)) !== undefined;
      if (isReplaced) await this.#copyRecordings();
      if (isReplaced) await files.rename(target, aside);
      await files.rename(staging, target);
      await fileSystem.syncFolder(dirname(target));
    });
    await this.#remove(aside);
  }

  /** The replaced import may have recordings that the new one does not bring. */
  async #copyRecordings(): Promise<void> {
    const { fileSystem, files } = this.#deps;
    const { staging, target } = this.#paths;
    for (const name of await fileSystem.list(target)) {
      if (!cassetteFileName.test(name)) continue;
      const copy = join(staging, name);
      const recordings = join(target, name);
      // An import may have a folder of such a name.
      if ((await fileSystem.stat(recordings))?.isFile !== true) continue;
      const bytes = await readWhole(fileSystem, recordings);
      if (bytes !== undefined && (await fileSystem.stat(copy)) === undefined) await files.create(copy, bytes);
    }
    await fileSystem.syncFolder(staging);
  }

  /** Removes the staged files. */
  async abandon(): Promise<void> {
    await this.#remove(this.#paths.staging);
  }

  /** A folder that cannot be removed now is cleared at the next start. */
  async #remove(path: string): Promise<void> {
    const { fileSystem, log } = this.#deps;
    await fileSystem
      .remove(path)
      .catch((error: unknown) => log.warn({ error }, 'what an import left could not be removed'));
  }
}
