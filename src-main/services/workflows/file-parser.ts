// Parses the text of workflow and tests files for a program that must go on whatever the text is. A server runs the jobs
// in a process of their own (executor/parser/parser-process.ts), a command that ends with its file runs them itself.
import type { MergeHunk } from '../../domain/authoring/create/merge-hunks.ts';
import { AppError } from '../../base/app-error.ts';
import type { NewWorkflow, NewWorkflowFiles } from '../../domain/authoring/create/new-workflow.ts';
import type { NodeFormResult } from '../../domain/authoring/create/node-form.ts';
import type { EditResult } from '../../domain/authoring/edit/edit-text.ts';
import type { ConnectionFields } from '../../domain/authoring/edit/connection-fields.ts';
import type { WorkflowEdit } from '../../domain/authoring/edit/edit-workflow.ts';
import type { MovedIn, MovedOut } from '../../domain/authoring/edit/move-body.ts';
import type {
  FieldCaller,
  FieldRename,
  FieldRenameFiles,
  FieldRenameResult,
} from '../../domain/authoring/edit/rename-field.ts';
import type { InsertedRead } from '../../domain/authoring/language/insert-read.ts';
import type { NodeRename, NodeRenameFiles, RenamedFiles } from '../../domain/authoring/edit/rename-node.ts';
import type { Position } from '../../domain/expressions/value.ts';
import type { Completions } from '../../domain/authoring/language/completion-site.ts';
import type { FixedIssue } from '../../domain/authoring/language/quick-fixes.ts';
import type { LanguageContext } from '../../domain/authoring/language/language-context.ts';
import { applyChanges } from '../../domain/authoring/edit/text-changes.ts';
import type { ParsedProfiles } from '../../domain/profiles/parse-profiles.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import type { ProfileVars } from '../../domain/profiles/profile-vars.ts';
import type { ParsedTests } from '../../domain/tests/parse-tests.ts';
import { testNotSaved } from '../../domain/test-errors.ts';
import type { TestEdit } from '../../domain/tests/edit-test.ts';
import type { RowCase, TestOfRow } from '../../domain/tests/test-of-row.ts';
import type { PartOfTest, TestRun } from '../../domain/tests/update-tests.ts';
import { issueOfFile, type Issue } from '../../domain/workflow/issue.ts';
import type { NamedFile, NamedPath } from '../../domain/workflow/named-files.ts';
import type { NodeFailure, NodeLines } from '../../domain/workflow/fault-line.ts';
import type { Outline } from '../../domain/workflow/outline.ts';
import type { PathStep } from '../../domain/workflow/file-problem.ts';
import type { ParsedWorkflow } from '../../domain/workflow/parse-workflow.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type { AtOffset } from '../../domain/authoring/language/symbol.ts';
import type { JobArguments, RunJob, TextOffset } from '../../executor/parser/parse-jobs.ts';

/** Parses files in a process of their own. A file whose parsing was stopped has one issue, which says so. */
export class FileParser {
  readonly #run: RunJob;

  constructor(run: RunJob) {
    this.#run = run;
  }

  /** `size`: characters that the result holds, roughly. */
  async workflow(text: string): Promise<ParsedWorkflow & { readonly size: number }> {
    const outcome = await this.#run('workflow', text);
    return outcome.ok
      ? { ...outcome.value, size: outcome.size }
      : { issues: [issueOfFile(outcome.problem)], size: 0 };
  }

  async tests(text: string, workflow?: Workflow): Promise<ParsedTests> {
    const outcome = await this.#run('tests', text, workflow);
    return outcome.ok ? outcome.value : { issues: [issueOfFile(outcome.problem)] };
  }

  /** The issue of a cassette, if it has one. */
  async cassette(text: string): Promise<readonly Issue[]> {
    const outcome = await this.#run('cassette', text);
    return outcome.ok ? outcome.value : [issueOfFile(outcome.problem)];
  }

  /** The issue of a file of rows or records, if it has one. @param name its extension says the form */
  async rowsFile(text: string, name: string): Promise<readonly Issue[]> {
    const outcome = await this.#run('rowsFile', text, name);
    return outcome.ok ? outcome.value : [issueOfFile(outcome.problem)];
  }

  async outline(text: string): Promise<Outline> {
    const outcome = await this.#run('outline', text);
    return outcome.ok ? outcome.value : { nodes: [], edges: [], edgesLeftOut: 0 };
  }

  /** A node's lines in a workflow file; undefined if it has no such node, or cannot be read in time. */
  async nodeLines(text: string, failure: NodeFailure): Promise<NodeLines | undefined> {
    const outcome = await this.#run('nodeLines', text, failure);
    return outcome.ok ? (outcome.value ?? undefined) : undefined;
  }

  /** See `fieldsReadBy`; no nodes for a file that cannot be read in time. */
  async fieldsRead(text: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const outcome = await this.#run('fieldsRead', text);
    return outcome.ok ? outcome.value : {};
  }

  /** The issues of a workflow file that an edit can remove; none if they cannot be found in time. */
  async fixes(text: string, context: LanguageContext): Promise<readonly FixedIssue[]> {
    const outcome = await this.#run('fixes', text, context);
    return outcome.ok ? outcome.value : [];
  }

  /** Undefined where nothing can be completed, or not in time. */
  async complete(text: string, at: TextOffset, context: LanguageContext): Promise<Completions | undefined> {
    const outcome = await this.#run('complete', text, at, context);
    return outcome.ok ? (outcome.value ?? undefined) : undefined;
  }

  async symbol(text: string, at: TextOffset, context: LanguageContext): Promise<AtOffset> {
    const outcome = await this.#run('symbol', text, at, context);
    return outcome.ok ? outcome.value : { breadcrumb: [] };
  }

  /** The change that reads the value at the path where the caret is. */
  async insertRead(...input: JobArguments<'insertRead'>): Promise<InsertedRead> {
    const outcome = await this.#run('insertRead', ...input);
    return outcome.ok ? outcome.value : { refusal: outcome.problem };
  }

  /** The text of a workflow with another id; the same text if the id cannot be changed. */
  async rename(text: string, id: string): Promise<string> {
    const outcome = await this.#run('rename', text, id);
    return outcome.ok ? outcome.value : text;
  }

  /** Ranges to replace, so that the text has the edits. */
  async edit(text: string, edits: readonly WorkflowEdit[]): Promise<EditResult> {
    const outcome = await this.#run('edit', text, edits);
    return outcome.ok ? outcome.value : { refusal: { reason: outcome.problem, line: 1 } };
  }

  /** Fields of the node `to` for a reference to `from`. */
  async connectionFields(
    text: string,
    ids: { readonly from: string; readonly to: string },
  ): Promise<ConnectionFields> {
    const outcome = await this.#run('connectionFields', text, ids);
    return outcome.ok ? outcome.value : { refusal: { reason: outcome.problem, line: 1 } };
  }

  /** Ranges to replace, so that the node calls a workflow of the answer's text in place of its body. */
  async moveBodyOut(text: string, move: { readonly id: string; readonly newId: string }): Promise<MovedOut> {
    const outcome = await this.#run('moveBodyOut', text, move);
    return outcome.ok ? outcome.value : { refusal: { reason: outcome.problem, line: 1 } };
  }

  /** Ranges to replace, so that the node has the nodes of the workflow that it calls as its body. */
  async moveBodyIn(
    text: string,
    nodeId: string,
    called: { readonly id: string; readonly text: string },
  ): Promise<MovedIn> {
    const outcome = await this.#run('moveBodyIn', text, nodeId, called);
    return outcome.ok ? outcome.value : { refusal: { reason: outcome.problem, line: 1 } };
  }

  /** Ranges to replace in each file, so that the node has another id. */
  async renameNode({ workflow, ...others }: NodeRenameFiles, rename: NodeRename): Promise<RenamedFiles> {
    const outcome = await this.#run('renameNode', workflow, others, rename);
    return outcome.ok
      ? outcome.value
      : { refusal: { reason: outcome.problem, line: 1, file: 'workflow', index: 0 } };
  }

  /** Ranges to replace in each file, so that the field has another name. */
  async renameField({ workflow, tests }: FieldRenameFiles, rename: FieldRename): Promise<FieldRenameResult> {
    const outcome = await this.#run('renameField', workflow, tests, rename);
    return outcome.ok
      ? outcome.value
      : { refusal: { reason: outcome.problem, line: 1, file: 'workflow', index: 0 } };
  }

  /** Lines of another workflow that name the field of the workflow `calledId`; none if they cannot be found. */
  async fieldCallers(
    text: string,
    calledId: string,
    field: Omit<FieldRename, 'newName'>,
  ): Promise<readonly FieldCaller[]> {
    const outcome = await this.#run('fieldCallers', text, calledId, field);
    return outcome.ok ? outcome.value : [];
  }

  /** The text of another workflow with the new name of a field of the workflow `calledId`; the same where it cannot have it. */
  async renameFieldInCaller(text: string, calledId: string, rename: FieldRename): Promise<string> {
    const outcome = await this.#run('renameFieldInCaller', text, calledId, rename);
    return outcome.ok && outcome.value.refusal === undefined
      ? applyChanges(text, outcome.value.changes)
      : text;
  }

  /** The form of the node with this id, or for null of the workflow. */
  async form(text: string, nodeId: string | null): Promise<NodeFormResult> {
    const outcome = await this.#run('form', text, nodeId);
    return outcome.ok ? outcome.value : { kind: 'broken', line: 1, message: outcome.problem };
  }

  /** The texts of a new workflow. Throws `invalid_input` if they cannot be made in time. */
  async newWorkflow({ id, ...options }: NewWorkflow): Promise<NewWorkflowFiles> {
    const outcome = await this.#run('newWorkflow', id, options);
    if (!outcome.ok) throw new AppError('invalid_input', outcome.problem);
    return outcome.value;
  }

  async profiles(text: string): Promise<ParsedProfiles> {
    const outcome = await this.#run('profiles', text);
    return outcome.ok ? outcome.value : { profiles: [], issues: [issueOfFile(outcome.problem)] };
  }

  /** The values of variables in a file of profiles; none for a text that takes too long. */
  async profileVars(text: string): Promise<readonly ProfileVars[]> {
    const outcome = await this.#run('profileVars', text);
    return outcome.ok ? outcome.value : [];
  }

  /** The text of a workflow with the values of a profile; undefined if they cannot be written there. */
  async inProfile(text: string, profile: Profile): Promise<string | undefined> {
    const outcome = await this.#run('inProfile', text, profile);
    return outcome.ok && outcome.value.changes !== undefined
      ? applyChanges(text, outcome.value.changes)
      : undefined;
  }

  /**
   * The parts of two versions of a text; a text that takes too long is one clash.
   * @param base the text that both began with; undefined: it is not known
   */
  async mergeHunks(base: string | undefined, mine: string, theirs: string): Promise<readonly MergeHunk[]> {
    const outcome = await this.#run('merge', mine, theirs, base ?? null);
    return outcome.ok ? outcome.value : [{ kind: 'clash', before: '', mine, theirs }];
  }

  /** The text of a tests file with a test of a row of a preview. @param testsText empty: a new file */
  async testOfRow(testsText: string, workflowText: string, rowCase: RowCase): Promise<TestOfRow> {
    const outcome = await this.#run('testOfRow', testsText, workflowText, rowCase);
    return outcome.ok ? outcome.value : { problem: outcome.problem };
  }

  /** Ranges of the text of a tests file to replace, so that a test has the key. */
  async editTest(text: string, edit: TestEdit): Promise<EditResult> {
    const outcome = await this.#run('editTest', text, edit);
    return outcome.ok ? outcome.value : { refusal: { reason: outcome.problem, line: edit.line } };
  }

  /** The text of a tests file in which failed tests expect what came. Throws `invalid_input` if there is none. */
  async updateTests(text: string, runs: readonly TestRun[], part?: PartOfTest): Promise<string> {
    const outcome = await this.#run('updateTests', text, runs, part);
    if (!outcome.ok) throw testNotSaved(outcome.problem);
    return outcome.value;
  }

  /** The position of each path in the text, in order; the start of the text if it cannot be read. */
  async positions(text: string, paths: readonly (readonly PathStep[])[]): Promise<readonly Position[]> {
    if (paths.length === 0) return [];
    const outcome = await this.#run('positions', text, paths);
    return outcome.ok ? outcome.value : paths.map(() => ({ line: 1, column: 1 }));
  }

  /** The named files with the positions where the text names them. */
  async namedFiles(text: string, named: readonly NamedPath[]): Promise<readonly NamedFile[]> {
    const positions = await this.positions(
      text,
      named.map(({ at }) => at),
    );
    return named.map(({ path, key, isNeeded }, index) => ({
      path,
      key,
      isNeeded,
      ...(positions[index] ?? { line: 1, column: 1 }),
    }));
  }
}

/**
 * Parses in this process: for commands, whose file is the user's own choice and whose end affects no other work, and for
 * snapshots of accepted runs. The start of a server does not load the parsers.
 */
export const parserInProcess = new FileParser(async (job, ...args) => {
  const { runParseJob } = await import('../../executor/parser/parse-jobs.ts');
  return { ok: true, value: runParseJob(job, args), size: args[0].length };
});
