// Imports workflows into the data folder. No workflow runs here; each is untrusted until the user has seen what it
// could do. Who calls: the control API. INVARIANT: if any file has a problem, nothing is stored.
import { Mutex } from '../../base/mutex.ts';
import { importChanged, importRefused } from '../../domain/workflow-errors.ts';
import { findReach } from '../../domain/trust/reach.ts';
import { storedWorkflowName } from '../../domain/workflow/file-names.ts';
import { textHash } from '../../files/text-file.ts';
import type { StagedImport, ImportStore } from '../../storage/documents/import-store.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import {
  maxFileBytes,
  planImport,
  type ImportPlan,
  type ImportRequest,
  type PlannedWorkflow,
} from './plan-import.ts';
import type { TrustService } from './trust-service.ts';
import type { LoadedWorkflow, WorkflowService } from './workflow-service.ts';
import type { FileParser } from './file-parser.ts';

type ImportDeps = {
  readonly store: ImportStore;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly parser: FileParser;
};

export type ImportOptions = ImportRequest & {
  /** True if imports of the same id give way. The user's own files never do. */
  readonly replaces: boolean;
  /** The digest of what the user saw and trusted; absent: it is imported untrusted. */
  readonly trusted?: string | undefined;
};

export class ImportService {
  readonly #deps: ImportDeps;
  readonly #mutex = new Mutex();

  constructor(deps: ImportDeps) {
    this.#deps = deps;
  }

  /** The plan of an import, with all problems that forbid it. Throws `invalid_input` if there is nothing to import. */
  async inspect(request: ImportRequest, replaces: boolean): Promise<ImportPlan> {
    const plan = await planImport(nodeFileSystem, this.#deps.parser, request);
    const taken = await Promise.all(plan.workflows.map((planned) => this.#taken(planned, replaces)));
    const workflows = await Promise.all(plan.workflows.map((planned) => this.#withCallees(planned, plan)));
    return { ...plan, workflows, problems: [...plan.problems, ...taken.flat()] };
  }

  /** Resolves to the workflows once they are durable. Throws `invalid_input` with all that is wrong. */
  import(options: ImportOptions): Promise<readonly LoadedWorkflow[]> {
    return this.#mutex.run(() => this.#import(options));
  }

  async #import({ replaces, trusted, ...request }: ImportOptions): Promise<readonly LoadedWorkflow[]> {
    const plan = await this.inspect(request, replaces);
    if (plan.problems.length > 0) throw importRefused(plan.problems);
    if (trusted !== undefined && trusted !== plan.digest) throw importChanged();
    await this.#store(plan);
    const imported: LoadedWorkflow[] = [];
    for (const { workflow, text } of plan.workflows) {
      const loaded = await this.#deps.workflows.find(workflow.id);
      if (loaded === undefined || loaded.hash !== textHash(text)) throw importChanged();
      if (trusted !== undefined) await this.#deps.trust.trust(loaded);
      imported.push(loaded);
    }
    return imported;
  }

  /** All files are on the disk before the first import takes its place. */
  async #store({ folder, workflows }: ImportPlan): Promise<void> {
    const imports: { readonly id: string; readonly staged: StagedImport }[] = [];
    try {
      for (const { workflow, file, text, files } of workflows) {
        const staged = await this.#deps.store.stage(workflow.id);
        imports.push({ id: workflow.id, staged });
        for (const path of files) await staged.addFile(path, await folder.read(path, maxFileBytes));
        await staged.addFile(storedWorkflowName(file, workflow.id), Buffer.from(text));
      }
      for (const { id, staged } of imports) {
        // First, so that a decision about an earlier file with this id never applies to this one.
        await this.#deps.trust.beginImport(id);
        await staged.commit();
      }
    } catch (error) {
      for (const { staged } of imports) await staged.abandon();
      throw error;
    }
  }

  /** Finds out where the called workflows are: in the import, in this data folder, or nowhere yet. */
  async #withCallees(planned: PlannedWorkflow, { workflows }: ImportPlan): Promise<PlannedWorkflow> {
    const elsewhere = findReach(planned.workflow).workflows.filter(
      (id) => !workflows.some(({ workflow }) => workflow.id === id),
    );
    const said = await Promise.all(
      elsewhere.map(async (id) => {
        const found = await this.#deps.workflows.find(id);
        if (found === undefined)
          return `${id}: not here; without it ${planned.workflow.id} cannot run: import it too`;
        return `${id}: ${typeof found.location === 'object' ? 'an earlier import' : `your own file ${found.file}`}`;
      }),
    );
    return { ...planned, warnings: [...planned.warnings, ...said] };
  }

  async #taken({ workflow: { id } }: PlannedWorkflow, replaces: boolean): Promise<string[]> {
    const other = await this.#deps.workflows.find(id);
    if (other === undefined) return [];
    if (typeof other.location !== 'object')
      return [`The id "${id}" is taken by your own file ${other.file}: import it under another with --as ID`];
    return replaces
      ? []
      : [
          `The id "${id}" is taken by an earlier import: --replace puts this one in its place, --as ID beside it`,
        ];
  }
}
