// The workflows that can be run: files on disk, looked up by id. A file is read again after it changed, so the user
// only saves it in an editor. An accepted run keeps the text that it was accepted with.
import { basename, dirname, join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { Log } from '../../base/log.ts';
import {
  describeIssue,
  type Issue,
  issueOfEncoding,
  issueOfFile,
  placedIssue,
} from '../../domain/workflow/issue.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { cassetteNameFor } from '../../domain/workflow/file-names.ts';
import { namedPaths } from '../../domain/workflow/named-files.ts';
import { isShortage } from '../../domain/store-errors.ts';
import { ParserClosedError } from '../../executor/parser/job-process.ts';
import { sampleRow } from '../../domain/workflow/sample-row.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type {
  FileStamp,
  WorkflowFiles,
  WorkflowFileStamp,
  WorkflowLocation,
} from '../../storage/documents/workflow-files.ts';
import { textHash } from '../../files/text-file.ts';
import { type FileParser, parserInProcess } from './file-parser.ts';
import { rowsFileOf } from '../../domain/nodes/rows-source.ts';
import { inputConfig, readFirstTestRow } from './test-rows-file.ts';
import { workflowInvalid } from '../../domain/workflow-errors.ts';

export type LoadedWorkflow = {
  readonly id: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly source: string;
  readonly file: string;
  readonly location: WorkflowLocation;
  /** Absent when the file has errors. */
  readonly workflow?: Workflow;
  readonly issues: readonly Issue[];
  /** A row to try it with; absent when the file has errors. */
  readonly sampleRow?: JsonObject;
};

type Entry = {
  readonly stamp: WorkflowFileStamp;
  /** The file of its test rows, if it names one that is there: the sample row may come from it. */
  readonly rowsStamp: FileStamp | undefined;
  readonly loaded: LoadedWorkflow;
  /** Characters that are kept of the file, or would be, roughly. */
  readonly size: number;
  /** True if there was no room for the file. */
  readonly isLeftOut: boolean;
};

/**
 * Characters of all files with what was made of them. A workflow as people write them has some thousand; a folder of files
 * that were made to fill memory must not.
 */
const maxCharacters = 50_000_000;
type WorkflowDeps = {
  readonly files: WorkflowFiles;
  readonly log: Log;
  /** Without it the files are parsed in this process. */
  readonly parser?: FileParser;
  /** Characters, in place of the usual bound. */
  readonly maxCharacters?: number;
};

/** The file of profiles for a workflow, whether or not it is there. An import uses that of the folder above it. */
export const profilesFileOf = ({ file, location }: Pick<LoadedWorkflow, 'file' | 'location'>): string =>
  join(typeof location === 'object' ? dirname(dirname(file)) : dirname(file), profilesFileName);

/** In bytes. Files beyond are read last, so that no other file waits for one that takes seconds. */
const largeFile = 100_000;

export class WorkflowService {
  /** A file came, changed or went, as a look at the folders found: a workflow's own, its tests, cassette or profiles, or one that it names. */
  readonly events: Emitter<readonly LoadedWorkflow[]>;
  readonly #files: WorkflowFiles;
  readonly #parser: FileParser;
  readonly #maxCharacters: number;
  readonly #log: Log;
  #byFile = new Map<string, Entry>();
  #byId = new Map<string, LoadedWorkflow>();
  /** The files beside workflows, as last looked. */
  #sidecars: readonly FileStamp[] = [];
  #scan: Promise<void> | undefined;
  /** The one after it, for those who asked while it was under way. */
  #nextScan: Promise<void> | undefined;
  /** Problems found by the last scan; they are not logged again. */
  #logged: ReadonlySet<string> = new Set();

  constructor(deps: WorkflowDeps) {
    this.#files = deps.files;
    this.#parser = deps.parser ?? parserInProcess;
    this.#maxCharacters = deps.maxCharacters ?? maxCharacters;
    this.#log = deps.log;
    this.events = new Emitter((error) => deps.log.error({ error }, 'a listener to workflows failed'));
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

  /** True if a file had that id when last looked. */
  has(workflowId: string): boolean {
    return this.#byId.has(workflowId);
  }

  /** True if the file of that id, when last looked, was one that the user named at the start. */
  isNamed(workflowId: string): boolean {
    return this.#byId.get(workflowId)?.location === 'named';
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
    const known = this.#byFile;
    const stamps = await this.#files.scan();
    const entries = new Map<string, Entry>();
    const publish = (): readonly string[] => {
      this.#byFile = new Map(stamps.flatMap(({ path }) => entryAt(path, entries)));
      const { byId, problems } = indexById(this.#byFile);
      this.#byId = byId;
      return problems;
    };
    let room = this.#maxCharacters;
    let arePublished = false;
    for (const stamp of stamps.toSorted((one, other) => one.size - other.size)) {
      if (stamp.size > largeFile && !arePublished) {
        known.forEach((entry, path) => entry.stamp.size > largeFile && entries.set(path, entry));
        publish();
        arePublished = true;
      }
      const entry = await this.#entryOf(stamp, { known: known.get(stamp.path), room });
      if (entry === undefined) entries.delete(stamp.path);
      else entries.set(stamp.path, entry);
      if (entry?.isLeftOut === false) room -= entry.size;
    }
    const problems = publish();
    const byFile = this.#byFile;
    const sidecars = this.#sidecars;
    this.#sidecars = await this.#stampSidecars();
    const isSameAll =
      known.size === byFile.size &&
      [...byFile].every(([file, entry]) => known.get(file) === entry) &&
      isSameList(sidecars, this.#sidecars);
    if (!isSameAll) this.events.emit(this.known());
    this.#logNew([...problems, ...(await this.#files.findOverlooked())]);
  }

  async #isCurrent({ stamp, rowsStamp, loaded }: Entry, now: FileStamp): Promise<boolean> {
    if (!isSame(stamp, now)) return false;
    const rowsNow = await this.#stampTestRows(loaded);
    return rowsStamp === undefined || rowsNow === undefined
      ? rowsStamp === rowsNow
      : isSame(rowsStamp, rowsNow);
  }

  async #stampTestRows({ file, workflow }: LoadedWorkflow): Promise<FileStamp | undefined> {
    const testRows = rowsFileOf(inputConfig(workflow)?.testRows);
    return testRows && this.#files.stamp(join(dirname(file), testRows.file));
  }

  #stampSidecars(): Promise<readonly FileStamp[]> {
    const all = this.known();
    const named = all.flatMap((loaded) => [
      profilesFileOf(loaded),
      join(dirname(loaded.file), cassetteNameFor(basename(loaded.file))),
      ...(loaded.workflow === undefined ? [] : namedPaths(loaded.workflow)).map((path) =>
        join(dirname(loaded.file), path),
      ),
    ]);
    return this.#files.stampTests(new Set(all.map(({ file }) => dirname(file))), named);
  }

  /** A folder is looked through again and again; a problem in it is logged once, and again when it comes back. */
  #logNew(problems: readonly string[]): void {
    for (const problem of problems) if (!this.#logged.has(problem)) this.#log.warn({}, problem);
    this.#logged = new Set(problems);
  }

  /** The known content of the file, or its content read now. `room`: characters that may still be kept. */
  async #entryOf(
    stamp: WorkflowFileStamp,
    { known, room }: { readonly known: Entry | undefined; readonly room: number },
  ): Promise<Entry | undefined> {
    const isKnown = known !== undefined && (await this.#isCurrent(known, stamp));
    if (isKnown && known.isLeftOut === known.size > room) return known;
    const size = isKnown ? known.size : stamp.size;
    if (size > room) return leftOut(stamp, size, this.#maxCharacters);
    const read = await this.#load(stamp);
    return read === undefined || read.size <= room ? read : leftOut(stamp, read.size, this.#maxCharacters);
  }

  async #load(stamp: WorkflowFileStamp): Promise<Entry | undefined> {
    try {
      const text = await this.#files.read(stamp.path);
      const { loaded, size } = await loadSized(stamp, text, this.#parser);
      const errors = loaded.issues.filter((issue) => issue.severity === 'error');
      const [first] = errors;
      if (first !== undefined) {
        const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
        this.#log.warn({}, `cannot run until it is fixed: ${describeIssue(stamp.path, first)}${more}`);
      }
      const whole = size + text.length;
      const { workflow } = loaded;
      if (workflow === undefined)
        return { stamp, rowsStamp: undefined, loaded, size: whole, isLeftOut: false };
      const rowsStamp = await this.#stampTestRows(loaded);
      const fileRow = await readFirstTestRow(loaded.file, workflow);
      const shown = { ...loaded, sampleRow: sampleRow(workflow, fileRow) };
      return { stamp, rowsStamp, loaded: shown, size: whole, isLeftOut: false };
    } catch (error) {
      // The file is there: to leave it out would answer 404 for its workflow.
      if (isShortage(error) || error instanceof ParserClosedError) throw error;
      const issue = issueOfEncoding(error);
      if (issue === undefined) {
        this.#log.warn({ error }, `${stamp.path} could not be read`);
        return undefined;
      }
      this.#log.warn({}, `cannot run until it is fixed: ${describeIssue(stamp.path, issue)}`);
      return { stamp, rowsStamp: undefined, loaded: withoutText(stamp, issue), size: 0, isLeftOut: false };
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
  // An import never replaces the user's own file.
  for (const loaded of [...all.filter((each) => !isImported(each)), ...all.filter(isImported)]) {
    const first = byId.get(loaded.id);
    if (first === undefined) byId.set(loaded.id, loaded);
    else problems.push(`two files have the id "${loaded.id}": ${first.file} is used, ${loaded.file} is not`);
  }
  return { byId, problems };
}

const entryAt = (path: string, entries: ReadonlyMap<string, Entry>): (readonly [string, Entry])[] => {
  const entry = entries.get(path);
  return entry === undefined ? [] : [[path, entry]];
};

/** A file that is not kept: all others together hold as much as a server keeps. */
function leftOut(stamp: WorkflowFileStamp, size: number, max: number): Entry {
  const problem = `This file is left out: all workflow files together hold more than ${max / 1e6} million characters`;
  const loaded = withoutText(stamp, issueOfFile(problem));
  return { stamp, rowsStamp: undefined, loaded, size, isLeftOut: true };
}

/** A file whose text is not there, for the reason that the issue names. */
const withoutText = ({ path: file, location }: WorkflowFileStamp, issue: Issue): LoadedWorkflow => ({
  id: nameOf(file),
  hash: textHash(''),
  source: '',
  file,
  location,
  issues: [issue],
});

/** Parses a file's text. A file too broken to have an id goes by its name. */
export const loadWorkflow = async (
  stamp: Pick<WorkflowFileStamp, 'path' | 'location'>,
  source: string,
  parser: FileParser,
): Promise<LoadedWorkflow> => (await loadSized(stamp, source, parser)).loaded;

async function loadSized(
  { path: file, location }: Pick<WorkflowFileStamp, 'path' | 'location'>,
  source: string,
  parser: FileParser,
): Promise<{ readonly loaded: LoadedWorkflow; readonly size: number }> {
  const { workflow, id, issues, size } = await parser.workflow(source);
  const runnable = workflow !== undefined && !issues.some((issue) => issue.severity === 'error');
  const loaded = {
    id: workflow?.id ?? id ?? nameOf(file),
    hash: textHash(source),
    source,
    file,
    location,
    ...(runnable ? { workflow } : {}),
    issues,
  };
  return { loaded, size };
}

const nameOf = (file: string): string =>
  (file.split(/[\\/]/).at(-1) ?? file).replace(/\.workflow\.(ya?ml|json)$/, '');

const isImported = ({ location }: LoadedWorkflow): boolean => typeof location === 'object';

const isSame = (a: FileStamp, b: FileStamp): boolean => a.mtimeMs === b.mtimeMs && a.size === b.size;

const isSameList = (some: readonly FileStamp[], others: readonly FileStamp[]): boolean =>
  some.length === others.length &&
  some.every((one, index) => {
    const other = others[index];
    return other?.path === one.path && isSame(one, other);
  });

/** The workflow of a file without errors. Throws `workflow_invalid`. */
export function assertValid({ id, workflow, issues }: LoadedWorkflow): Workflow {
  if (workflow !== undefined) return workflow;
  throw workflowInvalid(id, issues.filter(({ severity }) => severity === 'error').map(placedIssue));
}
