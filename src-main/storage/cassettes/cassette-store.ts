// The recordings of a server: one cassette per workflow, beside the workflow's file. If that folder is read-only or not
// known, the cassette is in the data folder. Both are read. Journals are always in the data folder, so that a recording
// changes the workflow's folder once, at its end.
import { basename, dirname, join } from 'node:path';
import { invariant } from '../../base/invariant.ts';
import { cassetteNameFor } from '../../domain/workflow/file-names.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { CassetteFile, type CassetteLocation, type LabelledPath } from './cassette-file.ts';

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @param folder folder of the cassettes in a data folder */
export function storedCassette(folder: string, workflowId: string): LabelledPath {
  invariant(namePattern.test(workflowId), 'a cassette is named by the id of a workflow');
  const name = `${workflowId}.json`;
  return { path: join(folder, name), label: `cassettes/${name}` };
}

export class CassetteStore {
  readonly #deps: StoreDeps;
  readonly #folder: string;
  /** Open files by workflow id; runs that are recorded at the same time share one. */
  readonly #files = new Map<string, CassetteFile>();

  constructor(deps: StoreDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  /** The cassette in the data folder. */
  cassetteOf(workflowId: string): CassetteFile {
    return this.#open(workflowId, storedCassette(this.#folder, workflowId));
  }

  /**
   * The cassette that runs of the workflow record and replay.
   * @param workflowFile absent: no file of the workflow is known
   */
  async openCassette(workflowId: string, workflowFile: string | undefined): Promise<CassetteFile> {
    if (workflowFile === undefined) return this.cassetteOf(workflowId);
    const stored = storedCassette(this.#folder, workflowId);
    const name = cassetteNameFor(basename(workflowFile));
    const sidecar = { path: join(dirname(workflowFile), name), label: name };
    const isWritable = await this.#deps.fileSystem.isWritable(dirname(workflowFile));
    return this.#open(
      workflowId,
      isWritable
        ? { ...sidecar, isOutside: true, journal: journalOf(stored), second: stored }
        : { ...stored, second: sidecar },
    );
  }

  #open(workflowId: string, location: CassetteLocation): CassetteFile {
    const known = this.#files.get(workflowId);
    if (known !== undefined && (known.isRecording || known.path === location.path)) return known;
    const file = new CassetteFile(this.#deps, location);
    this.#files.set(workflowId, file);
    return file;
  }
}

const journalOf = ({ path, label }: LabelledPath): LabelledPath => ({
  path: `${path}.recording`,
  label: `${label}.recording`,
});
