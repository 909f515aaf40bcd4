// The questions that an editor asks about its texts, which it has sent to the server with `author.change`. They are
// one procedure, `author.ask`, but each has a role of its own.
import { z } from 'zod';
import type { FormNames } from '../../domain/authoring/create/node-field.ts';
import type { NodeFormResult } from '../../domain/authoring/create/node-form.ts';
import type { ConnectionFields } from '../../domain/authoring/edit/connection-fields.ts';
import type { EditResult } from '../../domain/authoring/edit/edit-text.ts';
import type { Completions } from '../../domain/authoring/language/completion-site.ts';
import type { InsertedRead, PickedValue } from '../../domain/authoring/language/insert-read.ts';
import type { FixedIssue } from '../../domain/authoring/language/quick-fixes.ts';
import type { AtOffset } from '../../domain/authoring/language/symbol.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import type { Preview } from '../../domain/run/preview.ts';
import type {
  DraftTestRowsView,
  DraftTestsView,
  NewTestView,
  UpdatedTests,
} from '../../domain/tests/test-views.ts';
import type { TestOfRow } from '../../domain/tests/test-of-row.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import {
  answer,
  jsonObject,
  nothing,
  oneWorkflow,
  operator,
  profileName,
  viewer,
  type ValueOf,
} from '../procedure.ts';
import { editor, textVersion, type CheckedDraft } from './author.ts';
import type { FieldRenameView, MovedInView, MovedOutView, NodeRenameView } from './graph.ts';
import { previewInput, previewValueInput, testOfRowInput, type PreviewValueView } from './previews.ts';
import { workflowEdits } from './workflow-edits.ts';

export type { AtOffset, Completions, FixedIssue, InsertedRead, PickedValue };
export type { SymbolAt, TextSpan } from '../../domain/authoring/language/symbol.ts';

const id = z.string().max(500);
const fileName = lookupText.min(1).max(200);
const offset = z.number().int().min(0);
/** The workflow's own file, or its tests. */
const atOffset = z.strictObject({ name: fileName, offset });
/** Step of a path in a file, or from `row`, or from `nodes` and the id of a node. */
const step = z.union([z.string().max(10_000), z.number().int().min(0)]);
/** A value of the workflow's file that the user edits in a field, with its text as typed. Offsets are in this text. */
const editedValue = z.strictObject({ path: z.array(step).min(1).max(200), text: z.string().max(2_000_000) });

const draftTestsInput = z.strictObject({
  /** True: the tests have the time that a run of saved tests has. Default: a few seconds, at low priority. */
  isPatient: z.boolean().optional(),
  /** A profile by its name; absent: the defaults of the file. */
  profile: profileName.optional(),
  /** Faults of services that all tests go through, as a scenario's text. */
  faults: z.string().max(500).optional(),
});
const namedTest = z.strictObject({ name: fileName, line: z.number().int().min(1).max(10_000_000) });
const updateTestsInput = z.strictObject({
  profile: profileName.optional(),
  /** Absent: all tests. */
  test: namedTest.optional(),
  /** A row of the test, from 1, or a value in it; absent: all that the test expects. */
  part: z
    .strictObject({ row: z.number().int().min(1).max(100_000_000), path: z.array(step).max(200) })
    .optional(),
});
const editTestInput = namedTest.extend({
  key: z.enum(['name', 'cassette', 'scenario']),
  /** Null: the test has the key no more. */
  value: z.string().max(500).nullable(),
});
const newTestInput = z.strictObject({
  /** Wished for the test. */
  name: z.string().max(200),
  rows: z.array(jsonObject).min(1).max(1_000),
});
const draftTestRowsInput = z.strictObject({
  /** Name of the tests file. */
  name: fileName,
  /** Line of the test. */
  line: z.number().int().min(1).max(10_000_000),
  /** A row of the test that has to be among those of the answer, from 1. */
  row: z.number().int().min(1).max(100_000_000).optional(),
});

export const questions = {
  /** Graph and issues of all files; never fails for any text. */
  check: viewer(nothing, answer<CheckedDraft>),
  /** Ranges of the workflow's text to replace, so that it has all of the edits; or why they are refused. */
  edit: viewer(z.strictObject({ edits: workflowEdits }), answer<EditResult>),
  /** The form of a node, or without one of the workflow; never fails for any text. */
  form: viewer(z.strictObject({ nodeId: id.optional() }), answer<NodeFormResult>),
  /** Names that fields of forms can have: workflows, secrets, tables and their columns. */
  names: viewer(nothing, answer<FormNames>),
  /** The fields of `to` that can read `from`; refused where the nodes would wait for each other. */
  connections: viewer(z.strictObject({ from: id, to: id }), answer<ConnectionFields>),
  /** Ranges of the texts to replace, so that a node has another id. */
  renameNode: viewer(z.strictObject({ id, newId: id }), answer<NodeRenameView>),
  /** The move of a node's body into a workflow of its own, which `author.create` then writes. */
  moveBodyOut: viewer(z.strictObject({ id, newId: id }), answer<MovedOutView>),
  /** The move of the nodes of a called workflow, as its file is now, into the node that calls it. */
  moveBodyIn: viewer(z.strictObject({ id }), answer<MovedInView>),
  /** Ranges of the texts to replace, so that a field of the rows or outputs has another name. */
  renameField: viewer(
    z.strictObject({
      of: z.enum(['input', 'output']),
      name: z.string().min(1).max(500),
      newName: z.string().max(500),
    }),
    answer<FieldRenameView>,
  ),
  /** The change of the workflow's text, or of the edited value, that reads the picked value where the caret is; or why there is none. */
  insertRead: viewer(
    z.strictObject({
      offset,
      path: z.array(step).min(1).max(200),
      itemOf: id.optional(),
      value: editedValue.optional(),
    }),
    answer<InsertedRead>,
  ),
  /** The issues of the workflow's text that an edit can remove, with these edits. */
  fixes: viewer(nothing, answer<readonly FixedIssue[]>),
  /** Completions at the offset; null for none. */
  complete: viewer(atOffset.extend({ value: editedValue.optional() }), answer<Completions | null>),
  /** Symbol and breadcrumb at the offset. */
  symbol: viewer(atOffset, answer<AtOffset>),
  /** A name for a new test of the rows, and a test that has the same rows. It reads all tests. */
  newTest: operator(newTestInput, answer<NewTestView>),
  /** The text of the tests file with a test of a row of a preview; or why there is none. */
  testOfRow: viewer(testOfRowInput, answer<TestOfRow>),
  /** Runs rows. It calls no service and stores nothing; a newer preview of the workflow supersedes it. */
  preview: operator(previewInput, answer<Preview>),
  /** A value of the last preview; null if it has none there. */
  value: operator(previewValueInput, answer<PreviewValueView | null>),
  /** Runs the tests, offline. A newer request for the workflow stops it. */
  tests: operator(draftTestsInput, answer<DraftTestsView>),
  /** The texts of files in which failed tests expect what came; the tests run once more for it. */
  updateTests: operator(updateTestsInput, answer<UpdatedTests>),
  /** Ranges of a tests file to replace, so that a test has another value at the key; or why there are none. */
  editTest: viewer(editTestInput, answer<EditResult>),
  /** Rows of a test. */
  testRows: operator(draftTestRowsInput, answer<DraftTestRowsView>),
};

const requested = <Name extends string, Schema extends z.ZodType>(
  name: Name,
  { input }: { readonly input: Schema },
) => z.strictObject({ name: z.literal(name), input });
/** TypeScript loses the names of a table that is mapped. A question that is left out here has no answer that compiles. */
const question = z.discriminatedUnion('name', [
  requested('check', questions.check),
  requested('edit', questions.edit),
  requested('form', questions.form),
  requested('names', questions.names),
  requested('connections', questions.connections),
  requested('renameNode', questions.renameNode),
  requested('moveBodyOut', questions.moveBodyOut),
  requested('moveBodyIn', questions.moveBodyIn),
  requested('renameField', questions.renameField),
  requested('insertRead', questions.insertRead),
  requested('fixes', questions.fixes),
  requested('complete', questions.complete),
  requested('symbol', questions.symbol),
  requested('newTest', questions.newTest),
  requested('testOfRow', questions.testOfRow),
  requested('preview', questions.preview),
  requested('value', questions.value),
  requested('tests', questions.tests),
  requested('testRows', questions.testRows),
  requested('updateTests', questions.updateTests),
  requested('editTest', questions.editTest),
]);

export type QuestionName = z.output<typeof question>['name'];
type QuestionSchema<N extends QuestionName> = (typeof questions)[N]['input'];
/** The input of a question, as a client sends it. */
export type QuestionInput<N extends QuestionName> = ReadonlyDeep<z.input<QuestionSchema<N>>>;
/** The input of a question, checked. */
export type CheckedQuestionInput<N extends QuestionName> = ValueOf<QuestionSchema<N>>;
export type QuestionAnswer<N extends QuestionName> = (typeof questions)[N]['output'] extends (
  never: never,
) => infer Answer
  ? Answer
  : never;

/** One of the questions. */
export type EditorQuestion = {
  [N in QuestionName]: { readonly name: N; readonly input: QuestionInput<N> };
}[QuestionName];

/** Questions of one request. */
const maxQuestions = 10;

/** `answers`: in the order of the questions. */
export type AnswersView =
  | { readonly answers: readonly unknown[] }
  /** The server has a newer version of the texts. */
  | { readonly superseded: true }
  /** The server does not have the version: the window sends its texts whole. */
  | { readonly textsMissing: true };

export const askProcedures = {
  /** Asks about a version of the texts that the window `editor` has sent. */
  'author.ask': viewer(
    oneWorkflow.extend({
      editor,
      version: textVersion,
      questions: z.array(question).min(1).max(maxQuestions),
    }),
    answer<AnswersView>,
  ),
};
