// The workflows that can be run: files on disk, looked up by id. A file is read again when it changed, so that
// saving in an editor is all it takes; a run that was accepted keeps the text it was accepted with.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import { describeIssue, type Issue } from '../domain/workflow/issue.ts';
import { namedPaths } from '../domain/workflow/named-files.ts';
import { parseWorkflow } from '../domain/workflow/parse-workflow.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import type {
  FileStamp,
  WorkflowFiles,
  WorkflowFileStamp,
  WorkflowPlace,
} from '../storage/workflow-files.ts';

export type LoadedWorkflow = {
  readonly id: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly source: string;
  readonly file: string;
  readonly place: WorkflowPlace;
  /** Absent when the file has errors. */
  readonly workflow?: Workflow;
  readonly issues: readonly Issue[];
};

type Entry = { readonly stamp: WorkflowFileStamp; readonly loaded: LoadedWorkflow };

export class WorkflowService {
  /** A file came, changed or went, as a look at the folders found: a workflow's own, its tests, or one that it names. */
  readonly facts: Emitter<readonly LoadedWorkflow[]>;
  readonly #files: WorkflowFiles;
  readonly #log: Log;
  #byFile = new Map<string, Entry>();
  #byId = new Map<string, LoadedWorkflow>();
  /** The files beside workflows, as last looked. */
  #beside: readonly FileStamp[] = [];
  #scan: Promise<void> | undefined;
  /** The one after it, for those who asked while it was under way. */
  #nextScan: Promise<void> | undefined;
  /** What was wrong when last looked. */
  #told: ReadonlySet<string> = new Set();

  constructor(parts: { readonly files: WorkflowFiles; readonly log: Log }) {
    this.#files = parts.files;
    this.#log = parts.log;
    this.facts = new Emitter((error) => parts.log.error({ error }, 'a listener to workflows failed'));
  }

  /**
   * Reads all folders, as they are when it is called: a look that is under way may have passed what has changed since,
   * so another follows it. Called once at start; later look-ups notice changes by themselves.
   */
  refresh(): Promise<void> {
    if (this.#scan !== undefined) return (this.#nextScan ??= this.#scan.then(this.#follow, this.#follow));
    this.#scan = this.#readAll().finally(() => {
      this.#scan = undefined;
    });
    return this.#scan;
  }

  readonly #follow = (): Promise<void> => {
    this.#nextScan = undefined;
    return this.refresh();
  };

  /** The workflow as its file is now; undefined when no file has that id. */
  async find(workflowId: string): Promise<LoadedWorkflow | undefined> {
    const known = this.#byId.get(workflowId);
    if (known !== undefined && (await this.#isUnchanged(known))) return known;
    await this.refresh();
    return this.#byId.get(workflowId);
  }

  /** Whether a file had that id when last looked. */
  has(workflowId: string): boolean {
    return this.#byId.has(workflowId);
  }

  /** Whether the file of that id, when last looked, was one that the user named at the start. */
  isNamed(workflowId: string): boolean {
    return this.#byId.get(workflowId)?.place === 'named';
  }

  /** Every workflow file, those with errors included, by id. */
  async list(): Promise<readonly LoadedWorkflow[]> {
    await this.refresh();
    return this.known();
  }

  /** Every workflow file, as last looked; by id. */
  known(): readonly LoadedWorkflow[] {
    return [...this.#byFile.values()].map((entry) => entry.loaded).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #isUnchanged(loaded: LoadedWorkflow): Promise<boolean> {
    const entry = this.#byFile.get(loaded.file);
    const now = await this.#files.stamp(loaded.file);
    return entry !== undefined && now !== undefined && isSame(entry.stamp, now);
  }

  async #readAll(): Promise<void> {
    const byFile = new Map<string, Entry>();
    for (const stamp of await this.#files.scan()) {
      const read = this.#byFile.get(stamp.path);
      const entry = read !== undefined && isSame(read.stamp, stamp) ? read : await this.#load(stamp);
      if (entry !== undefined) byFile.set(stamp.path, entry);
    }
    const known = this.#byFile;
    this.#byFile = byFile;
    const { byId, problems } = indexById(byFile);
    this.#byId = byId;
    const beside = this.#beside;
    this.#beside = await this.#stampBeside();
    const isSameAll =
      known.size === byFile.size &&
      [...byFile].every(([file, entry]) => known.get(file) === entry) &&
      isSameList(beside, this.#beside);
    if (!isSameAll) this.facts.emit(this.known());
    this.#tellNew([...problems, ...(await this.#files.findOverlooked())]);
  }

  #stampBeside(): Promise<readonly FileStamp[]> {
    const all = this.known();
    const named = all.flatMap(({ file, workflow }) =>
      workflow === undefined ? [] : namedPaths(workflow).map((path) => join(dirname(file), path)),
    );
    return this.#files.stampBeside(new Set(all.map(({ file }) => dirname(file))), named);
  }

  /** A folder is looked through again and again; what is wrong in it is told once, and again when it comes back. */
  #tellNew(problems: readonly string[]): void {
    for (const problem of problems) if (!this.#told.has(problem)) this.#log.warn({}, problem);
    this.#told = new Set(problems);
  }

  async #load(stamp: WorkflowFileStamp): Promise<Entry | undefined> {
    try {
      const loaded = loadWorkflow(stamp, await this.#files.read(stamp.path));
      const errors = loaded.issues.filter((issue) => issue.severity === 'error');
      const [first] = errors;
      if (first !== undefined) {
        const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
        this.#log.warn({}, `cannot run until it is mended: ${describeIssue(stamp.path, first)}${more}`);
      }
      return { stamp, loaded };
    } catch (error) {
      this.#log.warn({ error }, `${stamp.path} could not be read`);
      return undefined;
    }
  }
}

function indexById(byFile: ReadonlyMap<string, Entry>): {
  readonly byId: Map<string, LoadedWorkflow>;
  readonly problems: readonly string[];
} {
  const byId = new Map<string, LoadedWorkflow>();
  const problems: string[] = [];
  const all = [...byFile.values()].map(({ loaded }) => loaded);
  // What was imported never takes the place of the user's own.
  for (const loaded of [...all.filter((each) => !isImported(each)), ...all.filter(isImported)]) {
    const first = byId.get(loaded.id);
    if (first === undefined) byId.set(loaded.id, loaded);
    else problems.push(`two files have the id "${loaded.id}": ${first.file} is used, ${loaded.file} is not`);
  }
  return { byId, problems };
}

/** Parses a file's text. A file too broken to have an id goes by its name. */
export function loadWorkflow(
  { path: file, place }: Pick<WorkflowFileStamp, 'path' | 'place'>,
  source: string,
): LoadedWorkflow {
  const { workflow, id, issues } = parseWorkflow(source);
  const runnable = workflow !== undefined && !issues.some((issue) => issue.severity === 'error');
  return {
    id: workflow?.id ?? id ?? nameOf(file),
    hash: createHash('sha256').update(source, 'utf8').digest('hex'),
    source,
    file,
    place,
    ...(runnable ? { workflow } : {}),
    issues,
  };
}

const nameOf = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file).replace(/\.workflow\.(ya?ml|json)$/, '');

const isImported = ({ place }: LoadedWorkflow): boolean => typeof place === 'object';

const isSame = (a: FileStamp, b: FileStamp): boolean => a.mtimeMs === b.mtimeMs && a.size === b.size;

const isSameList = (some: readonly FileStamp[], others: readonly FileStamp[]): boolean =>
  some.length === others.length &&
  some.every((one, index) => {
    const other = others[index];
    return other?.path === one.path && isSame(one, other);
  });
