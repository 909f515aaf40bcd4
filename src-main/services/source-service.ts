// What workflows need beside their own files, found and checked: before a run is accepted, and when a file is
// validated. Who calls: RunService, the test bench, `rowbench validate`.
import { createHash } from 'node:crypto';
import { AppError } from '../base/app-error.ts';
import { columnMissing, tableBroken, workflowInvalid } from '../domain/errors.ts';
import type { Beside } from '../domain/sources/beside.ts';
import { needsOf, type TableNeed } from '../domain/sources/needs.ts';
import { hasColumn, readTable, type Table } from '../domain/sources/table.ts';
import type { MockChoice } from '../domain/workflow/choose-mocks.ts';
import { placedIssue, type Issue } from '../domain/workflow/issue.ts';
import { issueAtNode } from '../domain/workflow/issue-at-node.ts';
import type { SourceRef } from '../domain/run/run.ts';
import type { TableFiles, TableStamp } from '../storage/table-files.ts';
import type { LoadedWorkflow } from './workflow-service.ts';

/** A text that a run was accepted with beside its workflow's own. */
export type Source = SourceRef & { readonly text: string };

/** The file of a workflow, whose needs are looked for beside it. */
export type SourceOwner = Pick<LoadedWorkflow, 'id' | 'file' | 'source' | 'workflow'>;

export type Sources = { readonly beside: Beside; readonly sources: readonly Source[] };

type ReadTable = { readonly table: Table; readonly hash: string; readonly text: string };

/** Characters of tables that are kept for the next run. */
const mostKept = 20_000_000;

export class SourceService {
  readonly #tables: TableFiles;
  readonly #kept = new Map<string, { readonly stamp: TableStamp; readonly read: ReadTable }>();

  constructor(tables: TableFiles) {
    this.#tables = tables;
  }

  /**
   * All that a run of the workflow needs, as it is now.
   * @param choice nodes that answer from a mock; they need nothing
   * Throws `workflow_invalid` when something is missing or broken.
   */
  async resolve(owner: SourceOwner, choice: MockChoice = {}): Promise<Sources> {
    const { issues, ...sources } = await this.#gather(owner, choice);
    if (issues.length > 0) throw workflowInvalid(owner.id, issues.map(placedIssue));
    return sources;
  }

  /** What is wrong with it, at the nodes that ask for it. */
  async check(owner: SourceOwner): Promise<readonly Issue[]> {
    return (await this.#gather(owner, {})).issues;
  }

  async #gather(owner: SourceOwner, choice: MockChoice): Promise<Sources & { issues: Issue[] }> {
    const issues: Issue[] = [];
    const tables = new Map<string, Table>();
    const sources: Source[] = [];
    const needs = owner.workflow === undefined ? { tables: [] } : needsOf(owner.workflow, choice);
    for (const need of needs.tables) {
      try {
        const { table, hash, text } = await this.#tableFor(owner.file, need);
        if (!tables.has(need.path)) sources.push({ workflowId: owner.id, table: need.path, hash, text });
        tables.set(need.path, table);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        issues.push(issueAtNode(owner.source, need, { key: 'table', message: error.message }));
      }
    }
    return { issues, sources, beside: { tables: [...tables.values()] } };
  }

  async #tableFor(workflowFile: string, { path, key }: TableNeed): Promise<ReadTable> {
    const read = await this.#read(workflowFile, path);
    if (!hasColumn(read.table, key)) throw columnMissing(path, key);
    return read;
  }

  async #read(workflowFile: string, path: string): Promise<ReadTable> {
    const stamp = await this.#tables.stamp(workflowFile, path);
    const keptAs = JSON.stringify([stamp.file, path]);
    const kept = this.#kept.get(keptAs);
    if (kept !== undefined && kept.stamp.mtimeMs === stamp.mtimeMs && kept.stamp.size === stamp.size)
      return kept.read;
    const text = await this.#tables.read(stamp, path);
    const read = {
      text,
      hash: createHash('sha256').update(text, 'utf8').digest('hex'),
      table: tableOf(path, text),
    };
    this.#kept.delete(keptAs);
    this.#kept.set(keptAs, { stamp, read });
    this.#forgetOldest();
    return read;
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const [name, { read }] of [...this.#kept].reverse()) {
      kept += read.text.length;
      if (kept > mostKept) this.#kept.delete(name);
    }
  }
}

function tableOf(path: string, text: string): Table {
  try {
    return readTable(path, text);
  } catch (error) {
    throw error instanceof AppError ? tableBroken(path, error) : error;
  }
}
