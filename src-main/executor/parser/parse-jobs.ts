// Jobs on the text of workflow and tests files that the user has not trusted yet. Who calls: the parser process, and
// programs that handle one file and end.
import { rememberLast } from '../../base/remember-last.ts';
import { differingHunks, mergeHunks, type MergeHunk } from '../../domain/authoring/create/merge-hunks.ts';
import { issuesOfCassette, issuesOfRowsFile } from '../../domain/authoring/create/check-file.ts';
import { nodeForm } from '../../domain/authoring/create/node-form.ts';
import { newWorkflow, type NewWorkflow } from '../../domain/authoring/create/new-workflow.ts';
import { fieldsReadBy } from '../../domain/workflow/fields-read.ts';
import { nodeLines, type NodeFailure } from '../../domain/workflow/fault-line.ts';
import { outlineOf } from '../../domain/workflow/outline.ts';
import { parseTests } from '../../domain/tests/parse-tests.ts';
import { editTest } from '../../domain/tests/edit-test.ts';
import { addTestOfRow } from '../../domain/tests/test-of-row.ts';
import {
  updateTestPart,
  updateTests,
  type PartOfTest,
  type TestRun,
} from '../../domain/tests/update-tests.ts';
import type { EditedValue } from '../../domain/authoring/language/caret.ts';
import { completionsAt } from '../../domain/authoring/language/completion.ts';
import { insertRead } from '../../domain/authoring/language/insert-read.ts';
import { lookAt } from '../../domain/authoring/language/symbol.ts';
import type { LanguageContext } from '../../domain/authoring/language/language-context.ts';
import { quickFixes } from '../../domain/authoring/language/quick-fixes.ts';
import { editText } from '../../domain/authoring/edit/edit-text.ts';
import { applyChanges } from '../../domain/authoring/edit/text-changes.ts';
import { connectionFields } from '../../domain/authoring/edit/connection-fields.ts';
import { editWorkflow } from '../../domain/authoring/edit/edit-workflow.ts';
import { moveBodyIn, moveBodyOut } from '../../domain/authoring/edit/move-body.ts';
import {
  fieldCallers,
  renameFieldInCaller,
  renameFieldInFiles,
  type FieldCaller,
  type FieldRename,
  type FieldRenameFiles,
} from '../../domain/authoring/edit/rename-field.ts';
import {
  renameNodeInFiles,
  type NodeRename,
  type NodeRenameFiles,
} from '../../domain/authoring/edit/rename-node.ts';
import { applyProfile } from '../../domain/profiles/apply-profile.ts';
import { parseProfiles } from '../../domain/profiles/parse-profiles.ts';
import { profileVars } from '../../domain/profiles/profile-vars.ts';
import { parseWorkflow } from '../../domain/workflow/parse-workflow.ts';
import { positionsOf } from '../../domain/workflow/read-file.ts';

/** A caret or pointer in a text. */
export type TextOffset = {
  readonly offset: number;
  /** The text of the workflow, if the text is that of its tests. */
  readonly workflowText?: string | undefined;
  /** A value of the workflow that is edited apart from the text; the offset is in it. */
  readonly value?: EditedValue | undefined;
};

/** In a large file each fix takes a tenth of a second to check, and other jobs wait. */
const maxFixesMs = 150;

/** The jobs. Their arguments and results are plain data. */
const parseJobs = {
  /** The check and the preview of a draft parse the same text. */
  workflow: rememberLast(parseWorkflow),
  tests: parseTests,
  cassette: issuesOfCassette,
  rowsFile: issuesOfRowsFile,
  outline: outlineOf,
  nodeLines: (text: string, failure: NodeFailure) => {
    const { workflow } = parseWorkflow(text);
    return (workflow && nodeLines(text, workflow, failure)) ?? null;
  },
  fieldsRead: (text: string) => fieldsReadBy(parseWorkflow(text).workflow?.nodes ?? []),
  positions: positionsOf,
  edit: editWorkflow,
  testOfRow: addTestOfRow,
  editTest,
  updateTests: (text: string, runs: readonly TestRun[], part?: PartOfTest): string => {
    const [run] = runs;
    return part === undefined || run === undefined
      ? updateTests(text, runs)
      : updateTestPart(text, run, part);
  },
  connectionFields,
  insertRead,
  moveBodyOut,
  moveBodyIn,
  renameNode: (workflow: string, others: Omit<NodeRenameFiles, 'workflow'>, rename: NodeRename) =>
    renameNodeInFiles({ workflow, ...others }, rename),
  renameField: (workflow: string, tests: FieldRenameFiles['tests'], rename: FieldRename) =>
    renameFieldInFiles({ workflow, tests }, rename),
  renameFieldInCaller,
  /** Lines that name a field of the workflow `calledId`; none for a text that cannot be read. */
  fieldCallers: (
    text: string,
    calledId: string,
    field: Omit<FieldRename, 'newName'>,
  ): readonly FieldCaller[] => fieldCallers(text, calledId, field),
  fixes: (text: string, context: LanguageContext) => {
    const end = performance.now() + maxFixesMs;
    return quickFixes(text, context, () => performance.now() < end);
  },
  complete: (text: string, { offset, ...file }: TextOffset, context: LanguageContext) =>
    completionsAt({ text, ...file }, offset, context) ?? null,
  symbol: (text: string, { workflowText, offset }: TextOffset, context: LanguageContext) =>
    lookAt({ text, workflowText }, offset, context),
  form: nodeForm,
  newWorkflow: (id: string, options: Omit<NewWorkflow, 'id'>) => newWorkflow({ id, ...options }),
  /** @param base null: the text that both versions began with is not known */
  merge: (mine: string, theirs: string, base: string | null): readonly MergeHunk[] => {
    if (base === null) return differingHunks(mine, theirs);
    const texts = { base, mine, theirs };
    const parts = mergeHunks(texts);
    if (parts.every(({ kind }) => kind !== 'clash')) return parts;
    return mergeHunks(texts, new Set(outlineOf(base).nodes.map(({ first }) => first - 1)));
  },
  profiles: (text: string) => parseProfiles(text),
  profileVars,
  inProfile: applyProfile,
  /** Changes the id in the text of a workflow without errors; the same text if it is too long for another id. */
  rename: (text: string, id: string): string => {
    const { changes = [] } = editText(text, { kind: 'setValue', path: ['id'], value: id });
    return applyChanges(text, changes);
  },
};

export type JobName = keyof typeof parseJobs;
export type JobArguments<J extends JobName> = Parameters<(typeof parseJobs)[J]>;
export type JobResult<J extends JobName> = ReturnType<(typeof parseJobs)[J]>;

/** The result of a job, or the reason why there is none, as a message for the author of the file. */
export type JobOutcome<J extends JobName> =
  | {
      readonly ok: true;
      readonly value: JobResult<J>;
      /** Length of the result as JSON, or of the text where no JSON was made. */
      readonly size: number;
    }
  | { readonly ok: false; readonly problem: string };

/** Runs a job. Rejects only if no job can be run at all. */
export type RunJob = <J extends JobName>(job: J, ...args: JobArguments<J>) => Promise<JobOutcome<J>>;

/** Calls the job with this name. */
export function runParseJob<J extends JobName>(job: J, args: JobArguments<J>): JobResult<J> {
  // TypeScript cannot see that the function and its arguments belong together.
  const run = parseJobs[job] as unknown as (...args: JobArguments<J>) => JobResult<J>;
  return run(...args);
}
