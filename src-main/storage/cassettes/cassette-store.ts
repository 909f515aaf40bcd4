// The cassettes of the data folder: one for each workflow whose calls were recorded.
import { join } from 'node:path';
import { invariant } from '../../base/invariant.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { CassetteFile } from './cassette-file.ts';

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

export class CassetteStore {
  readonly #deps: StoreDeps;
  readonly #folder: string;
  /** Open files by workflow id; runs that are recorded at the same time share one. */
  readonly #files = new Map<string, CassetteFile>();

  constructor(deps: StoreDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  cassetteOf(workflowId: string): CassetteFile {
    invariant(namePattern.test(workflowId), 'a cassette is named by the id of a workflow');
    const label = `cassettes/${workflowId}.json`;
    const file =
      this.#files.get(workflowId) ??
      new CassetteFile(this.#deps, { path: join(this.#folder, `${workflowId}.json`), label });
    this.#files.set(workflowId, file);
    return file;
  }
}
