// Answers the questions that a window asks about its texts: one procedure, a role for each question.
// INVARIANT: no question is answered before the caller's role has been checked for it, and none for an older version.
import { KeyedMutex } from '../../../base/mutex.ts';
import {
  hasRole,
  type CheckedDraft,
  type CheckedQuestionInput,
  type ControlCaller,
  type Handlers,
  type EditorQuestion,
  type QuestionAnswer,
  type QuestionName,
} from '../../../contract/index.ts';
import { questions } from '../../../contract/authoring/questions.ts';
import { roleNeeded } from '../../../domain/access-errors.ts';
import { profilesFileName } from '../../../domain/profiles/profile-names.ts';
import { readScenario } from '../../../domain/scenarios/parse-scenario.ts';
import type { Issue } from '../../../domain/workflow/issue.ts';
import { isRowsFileName, testsFileName } from '../../../domain/workflow/file-names.ts';
import type { DocumentFile } from '../../../services/authoring/draft-documents.ts';
import type { Services } from '../../../services/services.ts';
import { loadWorkflow } from '../../../services/workflows/workflow-service.ts';
import { holderOf } from './author.ts';
import { findTexts, textOf, type EditorText, type EditorTexts } from './editor-texts.ts';
import { previewRequest } from './previews.ts';
import { planMoveIn, planMoveOut } from './move-body.ts';
import { callersOf, renameField, renameNode } from './renames.ts';

type Answers = {
  readonly [N in QuestionName]: (
    draft: EditorTexts,
    input: CheckedQuestionInput<N>,
  ) => Promise<QuestionAnswer<N>>;
};

export function createQuestionHandlers(rooms: Services) {
  const { documents } = rooms.authoring;
  const answers = createAnswers(rooms);
  const mutex = new KeyedMutex<string>();
  return {
    'author.ask': async ({ workflowId, editor, version, questions: requested }, caller) => {
      for (const { name } of requested) assertRole(name, caller);
      const draft = await findTexts(rooms, { workflowId, editor, version }, caller);
      if (!('files' in draft)) return draft;
      const window = { workflowId: draft.loaded.id, editor: holderOf(editor, caller) };
      const found: unknown[] = [];
      for (const question of requested) {
        const answer = (): Promise<unknown> => answerOf(answers, draft, question);
        // Questions that take long stop the ones before them; the others wait for their turn.
        const isNewest = (): boolean => documents.isNewest(window, version);
        if (stopsEarlier(question.name)) found.push(await answer());
        else {
          const key = `${question.name} ${window.workflowId} ${window.editor}`;
          const turn = await mutex.run(key, async () =>
            isNewest() ? { answer: await answer() } : undefined,
          );
          if (turn === undefined) return { superseded: true };
          found.push(turn.answer);
        }
      }
      return { answers: found };
    },
  } satisfies Partial<Handlers>;
}

/** Throws `role_required`. A caller without a role is the one user of a data folder. */
function assertRole(name: QuestionName, caller: ControlCaller | undefined): void {
  const { role } = questions[name];
  if (caller !== undefined && !hasRole(caller.role, role)) throw roleNeeded(role, caller.role);
}

const stopsEarlier = (name: QuestionName): boolean => name === 'preview' || name === 'tests';

/** The table's types pair each name with its input; the pairing is lost once the name is a variable. */
function answerOf(answers: Answers, draft: EditorTexts, { name, input }: EditorQuestion): Promise<unknown> {
  const answer = answers[name] as (draft: EditorTexts, input: unknown) => Promise<unknown>;
  return answer(draft, input);
}

function createAnswers(rooms: Services): Answers {
  const { draftParser, language, previews } = rooms.authoring;
  const { draftTests, draftTestFiles } = rooms.tests;
  return {
    check: checkOf(rooms),
    edit: ({ text }, { edits }) => draftParser.edit(text, edits),
    form: ({ text }, { nodeId }) => draftParser.form(text, nodeId ?? null),
    names: (draft) => language.names(draft),
    connections: ({ text }, ids) => draftParser.connectionFields(text, ids),
    renameNode: ({ files, own }, rename) => renameNode(draftParser, { files, own, ...rename }),
    moveBodyOut: (draft, ids) => planMoveOut(rooms, draft, ids),
    moveBodyIn: (draft, { id }) => planMoveIn(rooms, draft, id),
    renameField: async ({ loaded, files, own }, rename) => {
      const renamed = await renameField(draftParser, { files, own }, rename);
      return renamed.refusal === undefined
        ? { ...renamed, ...(await callersOf(rooms, loaded.id, rename)) }
        : renamed;
    },
    insertRead: ({ text }, { path, itemOf, ...at }) => draftParser.insertRead(text, at, { path, itemOf }),
    fixes: (draft) => language.fixes(draft, draft.text),
    complete: async (draft, { value, ...at }) => {
      const [, text, offset] = placed(draft, at);
      return (await language.complete(draft, text, { ...offset, value })) ?? null;
    },
    symbol: (draft, at) => language.symbol(...placed(draft, at)),
    newTest: ({ loaded, edited }, test) => draftTestFiles.describeNew(loaded, { ...test, files: edited }),
    testOfRow: (draft, { name, test }) => draftParser.testOfRow(textOf(draft, name), draft.text, test),
    preview: async ({ loaded: { id: workflowId }, text, tables }, input) =>
      previews.preview(await previewRequest(rooms.runs, { ...input, workflowId, text, tables })),
    value: async ({ loaded }, address) => previews.value(loaded.id, address) ?? null,
    tests: ({ loaded, edited }, { faults, ...options }) =>
      draftTests.run(async () => loaded, {
        ...options,
        workflowId: loaded.id,
        files: edited,
        faults: faults === undefined ? undefined : readScenario(faults),
      }),
    updateTests: ({ loaded, edited }, choice) => draftTests.update(loaded, { ...choice, files: edited }),
    editTest: (draft, { name, ...edit }) => draftParser.editTest(textOf(draft, name), edit),
    testRows: ({ loaded, edited }, test) => draftTestFiles.rows(loaded, { ...test, files: edited }),
  };
}

/** A caret in the workflow's own file, or in its tests. */
const placed = (draft: EditorTexts, { name, offset }: { readonly name: string; readonly offset: number }) =>
  [
    draft,
    textOf(draft, name),
    name === draft.own ? { offset } : { offset, workflowText: draft.text },
  ] as const;

function checkOf({ authoring: { draftParser }, workflows: { sources } }: Services): Answers['check'] {
  /** Issues of files that do not depend on the workflow: they are checked once. */
  const known = new WeakMap<DocumentFile, readonly Issue[]>();
  const issuesOf = async ({ name, text, source }: EditorText): Promise<readonly Issue[]> => {
    const issues = known.get(source) ?? (await readIssues(name, text));
    known.set(source, issues);
    return issues;
  };
  const readIssues = async (name: string, text: string): Promise<readonly Issue[]> => {
    if (name === profilesFileName) return (await draftParser.profiles(text)).issues;
    return isRowsFileName(name) ? draftParser.rowsFile(text, name) : draftParser.cassette(text);
  };
  /** Never throws on any text. */
  return async ({ loaded: { file, location }, own, text, files, tables }): Promise<CheckedDraft> => {
    const [loaded, outline] = await Promise.all([
      loadWorkflow({ path: file, location }, text, draftParser),
      draftParser.outline(text),
    ]);
    const problems = loaded.workflow === undefined ? [] : await sources.check(loaded, { tables });
    const sidecars: Record<string, readonly Issue[]> = {};
    for (const each of files.filter((one) => one.name !== own && one.text !== ''))
      sidecars[each.name] = testsFileName.test(each.name)
        ? (await draftParser.tests(each.text, loaded.workflow)).issues
        : await issuesOf(each);
    return { ...outline, issues: [...loaded.issues, ...problems], sidecars };
  };
}
