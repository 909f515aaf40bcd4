// Finds and checks the tables and called workflows that a workflow needs, before a run is accepted and when a file is
// validated. Who calls: RunService, the test bench, `rowbench validate`.
import { basename, dirname, resolve } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import {
  calledInCircle,
  calledTooDeep,
  calledWorkflowBroken,
  calledWorkflowUnknown,
  columnMissing,
  tablesTooLarge,
  workflowInvalid,
} from '../../domain/workflow-errors.ts';
import type { SourceRef } from '../../domain/run/run.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import {
  deepestCall,
  needsOf,
  noNeeds,
  type WorkflowNeed,
  type CalledWorkflow,
  type LoadedDependencies,
} from '../../domain/sources/needs.ts';
import { hasColumn, maxTablesBytes, type Table } from '../../domain/sources/table.ts';
import type { MockChoice, MockInputs } from '../../domain/workflow/choose-mocks.ts';
import { describeIssue, type Issue, placedIssue } from '../../domain/workflow/issue.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import { TableFiles } from '../../files/table-files.ts';
import { TableReader } from './table-reader.ts';
import { type LoadedWorkflow, WorkflowService } from './workflow-service.ts';
import { runInPieces } from '../../base/event-loop-yield.ts';
import { type FileParser, parserInProcess } from './file-parser.ts';
import { inProfile } from './profile-service.ts';
import { silentLog } from '../../base/log.ts';
import { ownWorkflowFolder, findKeeper } from '../../storage/data-location.ts';
import { WorkflowFiles } from '../../storage/documents/workflow-files.ts';

/** A text that a run was accepted with beside its workflow's own. */
export type Source = SourceRef & { readonly text: string };

/** The file of a workflow, whose needs are looked for beside it. */
export type SourceOwner = Pick<LoadedWorkflow, 'id' | 'file' | 'source' | 'workflow'>;

export type Sources = {
  readonly dependencies: LoadedDependencies;
  readonly sources: readonly Source[];
  /** The workflows that it calls, directly or not. */
  readonly called: readonly LoadedWorkflow[];
  /** Remarks about the files of tables, at its nodes that name them or call the workflows that do. */
  readonly notes: readonly Issue[];
};

/** Absolute paths. */
export type FilesBehind = {
  readonly files: ReadonlySet<string>;
  /** Folders of workflows that call a missing workflow: a new file there could become it. */
  readonly folders: ReadonlySet<string>;
};

type SourceDeps = {
  readonly tables: TableFiles;
  /** The workflow of that id that a workflow in that file means; undefined when there is none. */
  readonly find: (workflowId: string, calledFrom: string) => Promise<LoadedWorkflow | undefined>;
  readonly parser: FileParser;
};

/** Inputs of a run that decide what it needs. The mode and the profile are those of called workflows, too. */
type SourceInputs = MockInputs & {
  readonly profile?: Profile | undefined;
  /** Tables of a draft; absent: those of the disk. */
  readonly tables?: TableFiles | undefined;
};

/** Results of one traversal, filled as it goes. */
type Gathered = Pick<SourceInputs, 'mode' | 'profile' | 'tables'> & {
  readonly sources: Source[];
  /** Bytes that further tables may have. */
  tableRoom: number;
  /** By workflow id, with how deep the calls go on from there. */
  readonly called: Map<
    string,
    { readonly loaded: LoadedWorkflow; readonly part: CalledWorkflow; readonly depth: number }
  >;
};

/** A need of a workflow, at the key of the node that names it, and where its issues go. */
type Reporting = {
  readonly owner: SourceOwner;
  readonly need: Pick<WorkflowNeed, 'nodeId' | 'nodePath'>;
  readonly key: string;
  readonly issues: Issue[];
};

/** One workflow with its tables: the depth of its calls, its issues, and the remarks about its tables and those of called workflows. */
type Visited = {
  readonly tables: readonly Table[];
  readonly depth: number;
  readonly issues: readonly Issue[];
  readonly notes: readonly Issue[];
  readonly calledNotes: readonly Issue[];
};

export class SourceService {
  readonly #deps: SourceDeps;
  readonly #tables: TableReader;

  constructor(deps: SourceDeps) {
    this.#deps = deps;
    this.#tables = new TableReader(deps.tables);
  }

  /**
   * All that a run of the workflow needs, as it is now.
   * @param inputs nodes that answer from a mock need nothing; the mode is that of the workflows called, too
   * Throws `workflow_invalid` when something is missing or broken.
   */
  async resolve(owner: SourceOwner, inputs: SourceInputs): Promise<Sources> {
    const { issues, ...sources } = await this.gather(owner, inputs);
    if (issues.length > 0) throw workflowInvalid(owner.id, issues.map(placedIssue));
    return sources;
  }

  /** The same with an issue for each table or workflow that is missing or broken, at the node that needs it. */
  async gather(
    owner: SourceOwner,
    { mocks, mode, profile, tables: files }: SourceInputs,
  ): Promise<Sources & { readonly issues: readonly Issue[] }> {
    const gathered: Gathered = startGathering({ mode, profile, tables: files });
    const { tables, issues, notes, calledNotes } = await this.#visit(
      { owner, mocks, path: [owner.id] },
      gathered,
    );
    const called = [...gathered.called.values()];
    return {
      issues,
      notes: [...notes, ...calledNotes],
      dependencies: { tables, workflows: called.map(({ part }) => part) },
      sources: gathered.sources,
      called: called.map(({ loaded }) => loaded),
    };
  }

  /** The workflow that one in that file means by this id. Throws `invalid_input` if there is none, or it has errors. */
  async workflow(
    workflowId: string,
    calledFrom: string,
  ): Promise<SourceOwner & { readonly workflow: Workflow }> {
    const loaded = await this.#deps.find(workflowId, calledFrom);
    if (loaded === undefined) throw calledWorkflowUnknown(workflowId);
    const { workflow, issues } = loaded;
    if (workflow === undefined) throw calledWorkflowBroken(workflowId, issues.map(placedIssue).join('; '));
    return { ...loaded, workflow };
  }

  /** Problems with tables and called workflows, and remarks about tables, each at the node that needs them. */
  async check(
    owner: SourceOwner,
    inputs: Pick<SourceInputs, 'profile' | 'tables'> = {},
  ): Promise<readonly Issue[]> {
    const gathered: Gathered = startGathering(inputs);
    const { issues, notes } = await this.#visit({ owner, path: [owner.id] }, gathered);
    return [...issues, ...notes];
  }

  /** The files that runs of the workflow depend on beside its own, whether they can be read or not. */
  async filesBehind(owner: SourceOwner): Promise<FilesBehind> {
    const [files, folders] = [new Set<string>(), new Set<string>()];
    const look = async ({ file, workflow }: SourceOwner): Promise<void> => {
      const folder = dirname(file);
      const needs = workflow === undefined ? noNeeds : needsOf(workflow);
      for (const { path } of needs.tables) files.add(resolve(folder, path));
      for (const { workflowId } of needs.workflows) {
        const called = await this.#deps.find(workflowId, file);
        const path = called === undefined ? undefined : resolve(called.file);
        if (path === undefined) folders.add(resolve(folder));
        if (called === undefined || path === undefined || files.has(path)) continue;
        files.add(path);
        await look(called);
      }
    };
    await look(owner);
    return { files, folders };
  }

  async #visit(
    {
      owner,
      mocks,
      path: ofOwner,
    }: { owner: SourceOwner; mocks?: MockChoice | undefined; path: readonly string[] },
    gathered: Gathered,
  ): Promise<Visited> {
    const issues: Issue[] = [];
    const notes: Issue[] = [];
    const calledNotes: Issue[] = [];
    const tables = new Map<string, Table>();
    const needs =
      owner.workflow === undefined ? noNeeds : needsOf(owner.workflow, { mocks, mode: gathered.mode });
    for (const need of needs.tables) {
      await this.#reported({ owner, need, key: 'table', issues }, async () => {
        if (gathered.tableRoom < 0) throw tablesTooLarge(need.path, maxTablesBytes);
        const { text, hash, table, note } = await this.#tables.read(owner.file, need.path, gathered.tables);
        if (!tables.has(need.path)) {
          if (note !== undefined)
            notes.push(await this.#issueAt({ owner, need, key: 'table' }, 'note', `the table ${note}`));
          gathered.tableRoom -= Buffer.byteLength(text);
          if (gathered.tableRoom < 0) throw tablesTooLarge(need.path, maxTablesBytes);
          gathered.sources.push({ workflowId: owner.id, table: need.path, hash, text });
        }
        tables.set(need.path, table);
      });
      await this.#reported({ owner, need, key: 'key', issues }, async () => {
        const table = tables.get(need.path);
        if (table !== undefined && !(await runInPieces(hasColumn(table, need.key))))
          throw columnMissing(need.path, need.key);
      });
    }
    let depth = owner.workflow?.nodes.some(({ body }) => body !== undefined) === true ? 1 : 0;
    for (const need of needs.workflows)
      await this.#reported({ owner, need, key: 'workflow', issues }, async () => {
        const path = need.bodyId === undefined ? ofOwner : [...ofOwner, need.bodyId];
        const { depth: below, notes: found } = await this.#call(need, { owner, path }, gathered);
        for (const note of found)
          calledNotes.push(await this.#issueAt({ owner, need, key: 'workflow' }, 'note', note));
        depth = Math.max(depth, below + 1 + path.length - ofOwner.length);
        if (path.length + below > deepestCall) throw calledTooDeep([...path, need.workflowId], deepestCall);
      });
    return { tables: [...tables.values()], depth, issues, notes, calledNotes };
  }

  /** How deep the calls go on from the workflow that is called, and remarks that are not made yet. Throws `invalid_input` for what is wrong with it. */
  async #call(
    { workflowId }: WorkflowNeed,
    { owner, path }: { owner: SourceOwner; path: readonly string[] },
    gathered: Gathered,
  ): Promise<{ readonly depth: number; readonly notes: readonly string[] }> {
    if (path.includes(workflowId)) throw calledInCircle([...path, workflowId]);
    if (path.length > deepestCall) throw calledTooDeep([...path, workflowId], deepestCall);
    const known = gathered.called.get(workflowId);
    if (known !== undefined) return { depth: known.depth, notes: [] };
    const found = await this.#deps.find(workflowId, owner.file);
    if (found === undefined) throw calledWorkflowUnknown(workflowId);
    const loaded = await inProfile(found, gathered.profile, this.#deps.parser);
    const { workflow, file, hash, source } = loaded;
    const [broken] = loaded.issues.filter(({ severity }) => severity === 'error');
    if (workflow === undefined || broken !== undefined)
      throw calledWorkflowBroken(
        workflowId,
        broken === undefined ? basename(file) : describeIssue(basename(file), broken),
      );
    const { tables, depth, issues, notes, calledNotes } = await this.#visit(
      { owner: loaded, path: [...path, workflowId] },
      gathered,
    );
    const [first] = issues;
    if (first !== undefined) throw calledWorkflowBroken(workflowId, describeIssue(basename(file), first));
    gathered.called.set(workflowId, { loaded, part: { workflow, tables }, depth });
    gathered.sources.push({ workflowId, hash, text: source });
    return {
      depth,
      notes: [...notes, ...calledNotes].map((note) => `${basename(file)}, ${placedIssue(note)}`),
    };
  }

  /** Puts what is wrong at the node that asks for it. */
  async #reported({ issues, ...named }: Reporting, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      issues.push(await this.#issueAt(named, 'error', error.message));
    }
  }

  async #issueAt(
    { owner, need, key }: Omit<Reporting, 'issues'>,
    severity: Issue['severity'],
    message: string,
  ): Promise<Issue> {
    const [position] = await this.#deps.parser.positions(owner.source, [[...need.nodePath, key]]);
    return { severity, message, nodeId: need.nodeId, key, ...(position ?? { line: 1, column: 1 }) };
  }
}

const startGathering = (inputs: Pick<Gathered, 'mode' | 'profile' | 'tables'>): Gathered => ({
  ...inputs,
  sources: [],
  tableRoom: maxTablesBytes,
  called: new Map(),
});

/**
 * Finds what workflows need; the workflows that they call are looked for in the folders of those that call. A data
 * folder keeps each import in a folder of its own: what lies in one may call all of it, as on a server.
 */
export function openSources(parser: FileParser = parserInProcess): SourceService {
  const folders = new Map<string, WorkflowService>();
  const find = async (workflowId: string, calledFrom: string): Promise<LoadedWorkflow | undefined> => {
    const keeper = await findKeeper(calledFrom);
    const folder = keeper === undefined ? dirname(calledFrom) : ownWorkflowFolder(keeper.dataDir);
    const files = new WorkflowFiles(keeper === undefined ? { folders: [folder] } : { own: folder });
    // Problems in files that the caller did not ask for are not logged.
    const workflows = folders.get(folder) ?? new WorkflowService({ files, log: silentLog, parser });
    folders.set(folder, workflows);
    return workflows.find(workflowId);
  };
  return new SourceService({ tables: new TableFiles(), find, parser });
}

/** Finds what workflows need; the workflows that they call are those of the server. */
export const openServerSources = (workflows: WorkflowService, parser: FileParser): SourceService =>
  new SourceService({ tables: new TableFiles(), find: (workflowId) => workflows.find(workflowId), parser });
