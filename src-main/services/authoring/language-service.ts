// Helps to write the files of a workflow: quick fixes, completions, what stands at an offset. Collects what lies around the
// text; the parser process works out the rest. Who calls: the control API.
import { dirname } from 'node:path';
import type { FormNames } from '../../domain/authoring/create/node-field.ts';
import type { Completions } from '../../domain/authoring/language/completion-site.ts';
import type { FixedIssue } from '../../domain/authoring/language/quick-fixes.ts';
import type { LanguageContext, TableColumns } from '../../domain/authoring/language/language-context.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { rowFormatOfName } from '../../domain/rows/files/row-format.ts';
import { RowsOfBytes } from '../../domain/rows/files/rows-of-bytes.ts';
import type { AtOffset } from '../../domain/authoring/language/symbol.ts';
import { cassetteFileName, testsFileName, workflowFileName } from '../../domain/workflow/file-names.ts';
import type { TextOffset } from '../../executor/parser/parse-jobs.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import type { TableFiles } from '../../files/table-files.ts';
import { readTextFile } from '../../files/text-file.ts';
import type { DraftText } from '../workflows/draft-tables.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import type { PreviewService } from './preview-service.ts';
import type { SecretService } from '../access/secret-service.ts';
import { sourceFixes } from '../workflows/source-fixes.ts';
import type { SourceService } from '../workflows/source-service.ts';
import { profilesFileOf, type LoadedWorkflow, type WorkflowService } from '../workflows/workflow-service.ts';

type LanguageServiceDeps = {
  readonly workflows: WorkflowService;
  readonly sources: SourceService;
  readonly secrets: SecretService;
  readonly previews: PreviewService;
  /** Parses texts that change while they are typed. */
  readonly parser: FileParser;
};

/** A workflow whose files are edited. */
type EditedDraft = {
  readonly loaded: LoadedWorkflow;
  /** The files that differ from those on the disk. */
  readonly edited: readonly DraftText[];
  readonly tables: TableFiles;
};

/** Tables whose columns are read for one request, and bytes of each. */
const maxTables = 10;
const maxTableStart = 262_144;

export class LanguageService {
  readonly #deps: LanguageServiceDeps;

  constructor(deps: LanguageServiceDeps) {
    this.#deps = deps;
  }

  /** The issues that an edit of the text can remove. */
  async fixes(draft: EditedDraft, text: string): Promise<readonly FixedIssue[]> {
    const { parser, sources } = this.#deps;
    const { loaded, tables } = draft;
    const context = await this.#context(draft);
    return [
      ...(await parser.fixes(text, context)),
      ...(await sourceFixes(loaded, text, { sources, parser, context, tables })),
    ];
  }

  /** Completions at the offset; undefined for none. */
  async complete(draft: EditedDraft, text: string, at: TextOffset): Promise<Completions | undefined> {
    return this.#deps.parser.complete(text, at, await this.#context(draft));
  }

  /** Symbol and breadcrumb at the offset. */
  async symbol(draft: EditedDraft, text: string, at: TextOffset): Promise<AtOffset> {
    return this.#deps.parser.symbol(text, at, await this.#context(draft));
  }

  async names(draft: EditedDraft): Promise<FormNames> {
    const { workflowId, workflowIds, tables } = await this.#context(draft);
    return {
      // A workflow cannot call itself.
      workflowIds: workflowIds.filter((id) => id !== workflowId),
      secrets: this.#deps.secrets.list().map(({ name, hosts }) => ({ name, hosts })),
      tables,
      profiles: await this.#profiles(draft),
    };
  }

  /** An import has the profiles of the folder above it, which are no file of its draft. */
  async #profiles({ loaded, edited }: EditedDraft): Promise<FormNames['profiles']> {
    const own =
      typeof loaded.location === 'object' ? undefined : edited.find(({ name }) => name === profilesFileName);
    // The file may be gone, or no text: its issues are shown elsewhere.
    const text = own?.text ?? (await readTextFile(profilesFileOf(loaded)).catch(() => ''));
    return this.#deps.parser.profileVars(text);
  }

  async #context(draft: EditedDraft): Promise<LanguageContext> {
    const { workflows, secrets } = this.#deps;
    const { loaded } = draft;
    const rowFiles = await this.#rowFiles(draft);
    return {
      workflowId: loaded.id,
      workflowIds: workflows.known().map(({ id }) => id),
      secrets: secrets.list().map(({ name }) => name),
      rowFiles,
      tables: await Promise.all(rowFiles.slice(0, maxTables).map((path) => this.#columns(draft, path))),
      seen: this.#deps.previews.seenValues(loaded.id),
    };
  }

  /** Files beside the workflow that can hold rows or records. */
  async #rowFiles({ loaded: { file }, edited }: EditedDraft): Promise<readonly string[]> {
    const names = await nodeFileSystem.list(dirname(file)).catch(() => []);
    return [...new Set([...names, ...edited.map(({ name }) => name)])]
      .filter((name) => rowFormatOfName(name) !== undefined && !otherFiles.some((other) => other.test(name)))
      .sort();
  }

  async #columns({ loaded, tables }: EditedDraft, path: string): Promise<TableColumns> {
    try {
      const { bytes, isPacked } = await tables.open(await tables.stamp(loaded.file, path));
      const reader = new RowsOfBytes({ fileName: path, types: new Map(), isPacked });
      const [first] = await firstRows(reader, bytes);
      return { path, columns: first === undefined ? [] : Object.keys(JSON.parse(first) as object) };
    } catch {
      // The issues of the file say what is wrong with the table.
      return { path, columns: [] };
    }
  }
}

/** The first rows, within the bytes of a file's beginning. */
async function firstRows(reader: RowsOfBytes, bytes: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  let read = 0;
  for await (const piece of bytes) {
    const rows = await reader.push(piece);
    read += piece.length;
    if (rows.length > 0 || read > maxTableStart) return rows;
  }
  return reader.end();
}

const otherFiles = [workflowFileName, testsFileName, cassetteFileName];
