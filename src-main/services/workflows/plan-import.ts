// Plans an import: reads and checks workflows with all files that belong to them. Stores nothing, runs nothing, and
// finds all problems at once.
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { utf8Text } from '../../base/utf8-text.ts';
import { nothingToImport } from '../../domain/workflow-errors.ts';
import {
  belongsTo,
  collidingPaths,
  isPortableName,
  storedWorkflowName,
  testsFileName,
  workflowFileName,
} from '../../domain/workflow/file-names.ts';
import { describeIssue } from '../../domain/workflow/issue.ts';
import {
  filesOfTests,
  filesOfWorkflow,
  missingFile,
  type NamedFile,
} from '../../domain/workflow/named-files.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { ForeignFolder } from '../../files/foreign-folder.ts';
import type { FileParser } from './file-parser.ts';
import { UploadedFiles, type ImportFolder } from './uploaded-files.ts';

export type PlannedWorkflow = {
  readonly workflow: Workflow;
  /** Name of its file. */
  readonly file: string;
  /** As it will be stored: with another id where one was asked for. */
  readonly text: string;
  /** Files imported with it: paths relative to its file. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
};

export type ImportPlan = {
  readonly folder: ImportFolder;
  readonly workflows: readonly PlannedWorkflow[];
  /** Any of them forbids the import. */
  readonly problems: readonly string[];
  /** SHA-256 of the workflows' file names and texts, and of the names of the files imported with them. */
  readonly digest: string;
};

/** `name` is that of a file beside the workflow. */
type UploadedFile = { readonly name: string; readonly text: string };

/** Has `path` or `files`. */
export type ImportRequest = {
  /** An absolute path: a workflow file, or a folder with such files. */
  readonly path?: string | undefined;
  /** Files that the client sends: workflows, and what belongs to them. */
  readonly files?: readonly UploadedFile[] | undefined;
  /** The id to import it under. */
  readonly as?: string | undefined;
};

const maxTextBytes = 4_000_000;
/** Rows and tables; a run's own rows travel through the API, which has other bounds. */
export const maxFileBytes = 20_000_000;
const maxBytes = 100_000_000;
const maxFiles = 200;

/** Throws `invalid_input` where there is nothing to look at. */
export async function planImport(
  fileSystem: FileSystem,
  parser: FileParser,
  { path = '', files: uploaded, as }: ImportRequest,
): Promise<ImportPlan> {
  const source = uploaded === undefined ? await folderAt(fileSystem, path) : uploadedSource(uploaded);
  return planFolder(parser, source, as);
}

/** Throws `invalid_input` where there is nothing to look at. */
export async function planFolder(
  parser: FileParser,
  { folder, label, file }: ImportSource,
  as?: string,
): Promise<ImportPlan> {
  const names = await folder.names();
  const files = file === undefined ? names.filter((name) => workflowFileName.test(name)) : [file];
  if (files.length === 0)
    throw nothingToImport(label, 'holds no workflow files (*.workflow.yaml, .yml or .json)');
  if (as !== undefined && files.length > 1)
    throw nothingToImport(
      label,
      'holds several workflows: --as goes with the file of one. Where ids are taken by earlier imports, --replace takes their place',
    );
  const planner = new Planner(folder, names, parser);
  for (const file of files) await planner.add(file, as);
  return planner.plan();
}

type ImportSource = {
  readonly folder: ImportFolder;
  /** Names the source in messages. */
  readonly label: string;
  /** The one file to import; absent: all workflow files of the folder. */
  readonly file?: string;
};

function uploadedSource(files: readonly UploadedFile[]): ImportSource {
  const label = 'The choice of files';
  const names = new Set<string>();
  for (const { name } of files) {
    if (names.has(name)) throw nothingToImport(label, `has two files named ${JSON.stringify(name)}`);
    names.add(name);
  }
  const [only] = files;
  const folder = new UploadedFiles(files.map(({ name, text }) => ({ path: name, bytes: Buffer.from(text) })));
  return { folder, label, ...(files.length === 1 && only !== undefined ? { file: only.name } : {}) };
}

async function folderAt(fileSystem: FileSystem, path: string): Promise<ImportSource> {
  const isFolder = (await fileSystem.stat(path))?.isFolder === true;
  const folder = await ForeignFolder.open(fileSystem, isFolder ? path : dirname(path));
  if (folder === undefined) throw nothingToImport(path, 'is not there');
  return { folder, label: path, ...(isFolder ? {} : { file: basename(path) }) };
}

class Planner {
  readonly #folder: ImportFolder;
  readonly #names: readonly string[];
  readonly #parser: FileParser;
  readonly #workflows: PlannedWorkflow[] = [];
  readonly #problems: string[] = [];
  #bytes = 0;

  constructor(folder: ImportFolder, names: readonly string[], parser: FileParser) {
    this.#parser = parser;
    this.#folder = folder;
    this.#names = names;
  }

  plan(): ImportPlan {
    const byId = new Map<string, string>();
    for (const { workflow, file } of this.#workflows) {
      const other = byId.get(workflow.id);
      if (other !== undefined)
        this.#problems.push(`${file}: its id "${workflow.id}" is that of ${other} too`);
      byId.set(workflow.id, file);
    }
    const digest = createHash('sha256');
    for (const { file, text, files } of this.#workflows) digest.update(JSON.stringify([file, text, files]));
    return {
      folder: this.#folder,
      workflows: this.#workflows,
      problems: this.#problems,
      digest: digest.digest('hex'),
    };
  }

  async add(file: string, as: string | undefined): Promise<void> {
    if (!isPortableName(file))
      return this.#refuse(`${JSON.stringify(file)}: not every system has files of this name`);
    const written = await this.#read(file);
    if (written === undefined) return;
    const text = as === undefined ? written : await this.#renamed(written, as);
    const { workflow, issues } = await this.#parser.workflow(text);
    for (const issue of issues)
      if (issue.severity === 'error') this.#problems.push(describeIssue(file, issue));
    if (workflow === undefined) return;
    const warnings = issues.map((issue) => describeIssue(file, issue));
    const files = await this.#filesOf({ file, text, workflow }, warnings);
    this.#workflows.push({ workflow, file, text, files, warnings });
  }

  /** The file's text with another id; as it is where that is not possible, which its own issues then tell. */
  async #renamed(text: string, id: string): Promise<string> {
    if (!workflowIdPattern.test(id)) {
      this.#refuse(`--as ${JSON.stringify(id)}: a workflow id is 1 to 64 letters, digits, "_" and "-"`);
      return text;
    }
    const { workflow } = await this.#parser.workflow(text);
    return workflow === undefined ? text : this.#parser.rename(text, id);
  }

  async #filesOf(
    { file, text, workflow }: Pick<PlannedWorkflow, 'file' | 'text' | 'workflow'>,
    warnings: string[],
  ): Promise<string[]> {
    const found = new Set<string>();
    const take = async (namedIn: string, named: readonly NamedFile[]): Promise<void> => {
      for (const each of named) {
        const problem = await this.#check(each);
        if (problem === undefined) found.add(each.path);
        else this.#reportMissing(namedIn, each, { problem, warnings });
      }
    };
    await take(file, await this.#parser.namedFiles(text, filesOfWorkflow(workflow)));
    for (const name of this.#names.filter(
      (name) => testsFileName.test(name) && belongsTo(name, file, this.#names),
    )) {
      const tests = await this.#read(name);
      if (tests === undefined) continue;
      found.add(name);
      const parsed = await this.#parser.tests(tests, workflow);
      for (const issue of parsed.issues) this.#problems.push(describeIssue(name, issue));
      await take(name, await this.#parser.namedFiles(tests, filesOfTests(parsed.tests ?? [])));
    }
    if (found.size > maxFiles) this.#refuse(`${file}: more than ${maxFiles} files belong to it`);
    const files = [...found].sort();
    for (const path of collidingPaths([storedWorkflowName(file, workflow.id), ...files]))
      this.#refuse(`${path}: a folder cannot hold this file beside the others of ${file}`);
    return files;
  }

  #reportMissing(
    file: string,
    named: NamedFile,
    { problem, warnings }: { problem: string; warnings: string[] },
  ): void {
    const severity = named.isNeeded ? 'error' : 'warning';
    const said = describeIssue(file, { ...named, severity, message: missingFile(named, problem) });
    if (named.isNeeded) this.#problems.push(said);
    else warnings.push(said);
  }

  /** The problem that keeps a named file out of the import; undefined if it may come along. */
  async #check({ path }: NamedFile): Promise<string | undefined> {
    if (!path.split('/').every(isPortableName)) return 'has a name that not every system has';
    if (workflowFileName.test(path)) return 'is a workflow, not data';
    try {
      this.#count(await this.#folder.sizeOf(path, maxFileBytes));
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_input')
        return error.message.slice(path.length + 1);
      throw error;
    }
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      const text = utf8Text(await this.#folder.read(name, maxTextBytes), name);
      this.#count(text.length);
      return text;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      this.#refuse(error.message);
      return undefined;
    }
  }

  #count(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (before <= maxBytes && this.#bytes > maxBytes)
      this.#refuse(`All files together are larger than ${maxBytes / 1e6} MB`);
  }

  #refuse(problem: string): void {
    this.#problems.push(problem);
  }
}
