// Jobs on the text of workflow and tests files that the user has not trusted yet. Who calls: the parser process, and
// programs that handle one file and end.
import { rememberLast } from '../../base/remember-last.ts';
import { nodeForm } from '../../domain/author/node-form.ts';
import { outlineOf } from '../../domain/workflow/outline.ts';
import { parseTests } from '../../domain/tests/parse-tests.ts';
import { addTestOfRow } from '../../domain/tests/test-of-row.ts';
import { completionsAt } from '../../domain/language/completion.ts';
import { insertRead } from '../../domain/language/insert-read.ts';
import { lookAt } from '../../domain/language/symbol.ts';
import type { LanguageContext } from '../../domain/language/language-context.ts';
import { quickFixes } from '../../domain/language/quick-fixes.ts';
import { editedText } from '../../domain/edit/edit-text.ts';
import { connectionFields } from '../../domain/edit/connection-fields.ts';
import { editWorkflow } from '../../domain/edit/edit-workflow.ts';
import {
  fieldCallers,
  renameFieldInCaller,
  renameFieldInFiles,
  type FieldCaller,
  type FieldRename,
  type FieldRenameFiles,
} from '../../domain/edit/rename-field.ts';
import { renameNodeInFiles, type NodeRename, type NodeRenameFiles } from '../../domain/edit/rename-node.ts';
import { applyProfile } from '../../domain/profiles/apply-profile.ts';
import { parseProfiles } from '../../domain/profiles/parse-profiles.ts';
import { parseWorkflow } from '../../domain/workflow/parse-workflow.ts';
import { positionsOf } from '../../domain/workflow/read-file.ts';

/** A caret or pointer in a text. */
export type TextOffset = {
  readonly offset: number;
  /** The text of the workflow, if the text is that of its tests. */
  readonly workflowText?: string | undefined;
};

/** In a large file each fix takes a tenth of a second to check, and other jobs wait. */
const maxFixesMs = 150;

/** The jobs. Their arguments and results are plain data. */
const parseJobs = {
  /** The check and the preview of a draft parse the same text. */
  workflow: rememberLast(parseWorkflow),
  tests: parseTests,
  outline: outlineOf,
  positions: positionsOf,
  edit: editWorkflow,
  testOfRow: addTestOfRow,
  connectionFields,
  insertRead,
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
  complete: (text: string, { workflowText, offset }: TextOffset, context: LanguageContext) =>
    completionsAt({ text, workflowText }, offset, context) ?? null,
  symbol: (text: string, { workflowText, offset }: TextOffset, context: LanguageContext) =>
    lookAt({ text, workflowText }, offset, context),
  form: nodeForm,
  profiles: (text: string) => parseProfiles(text),
  inProfile: applyProfile,
  /** Changes the id in the text of a workflow without errors. */
  rename: (text: string, id: string): string =>
    editedText(text, { kind: 'setValue', path: ['id'], value: id }),
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
