// Answers the questions that a window asks about its texts: one procedure, a role for each question.
// INVARIANT: no question is answered before the caller's role has been checked for it, and none for an older version.
import { basename } from 'node:path';
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
import type { Issue } from '../../../domain/workflow/issue.ts';
import { isRowsFileName, testsFileName } from '../../../domain/workflow/file-names.ts';
import {
  editedFiles,
  type DocumentFile,
  type DraftDocument,
} from '../../../services/authoring/draft-documents.ts';
import type { DraftService } from '../../../services/authoring/draft-service.ts';
import type { Services } from '../../../services/services.ts';
import { loadWorkflow, type LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';
import { findWorkflow } from '../workflows/workflows.ts';
import { holderOf } from './author.ts';
import { previewRequest } from './previews.ts';
import { callersOf, renameField, renameNode } from './renames.ts';

/** The texts of a window, for one question. */
type EditorTexts = {
  readonly loaded: LoadedWorkflow;
  /** Name of the workflow's own file, and its text. */
  readonly own: string;
  readonly text: string;
  /** All files that have a text, the workflow's own among them. */
  readonly files: readonly EditorText[];
  /** The files that differ from those on the disk. */
  readonly edited: readonly EditorText[];
};
type EditorText = { readonly name: string; readonly text: string; readonly source: DocumentFile };

type Answers = {
  readonly [N in QuestionName]: (
    draft: EditorTexts,
    input: CheckedQuestionInput<N>,
  ) => Promise<QuestionAnswer<N>>;
};

export function createQuestionHandlers(rooms: Services) {
  const { documents, drafts } = rooms.authoring;
  const answers = createAnswers(rooms);
  const mutex = new KeyedMutex<string>();
  return {
    'author.ask': async ({ workflowId, editor, version, questions: requested }, caller) => {
      for (const { name } of requested) assertRole(name, caller);
      const loaded = await findWorkflow(rooms.workflows.workflows, workflowId);
      const window = { workflowId: loaded.id, editor: holderOf(editor, caller) };
      const document = await documents.find(window, version);
      if (!('files' in document)) return document;
      const draft = await textsOf(drafts, loaded, document);
      if (draft === undefined) return { textsMissing: true };
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

/** Undefined if the text of a file is neither in the document nor on the disk. */
async function textsOf(
  drafts: DraftService,
  loaded: LoadedWorkflow,
  document: DraftDocument,
): Promise<EditorTexts | undefined> {
  const files: EditorText[] = [];
  for (const source of document.files.values()) {
    const { name } = source;
    const hash = 'hash' in source ? source.hash : null;
    const text = source.text ?? (hash === null ? '' : await drafts.textOf(loaded, name, hash));
    if (text === undefined) return undefined;
    files.push({ name, text, source });
  }
  const own = basename(loaded.file);
  const text = files.find(({ name }) => name === own)?.text;
  if (text === undefined) return undefined;
  const edited = new Set(editedFiles(document).map(({ name }) => name));
  return { loaded, own, text, files, edited: files.filter(({ name }) => edited.has(name)) };
}

const textOf = ({ files }: EditorTexts, name: string): string =>
  files.find((file) => file.name === name)?.text ?? '';

function createAnswers(rooms: Services): Answers {
  const { draftParser, language, previews } = rooms.authoring;
  const { draftTests } = rooms.tests;
  return {
    check: checkOf(rooms),
    edit: ({ text }, { edits }) => draftParser.edit(text, edits),
    form: ({ text }, { nodeId }) => draftParser.form(text, nodeId),
    names: ({ loaded }) => language.names(loaded),
    connections: ({ text }, ids) => draftParser.connectionFields(text, ids),
    renameNode: ({ files, own }, rename) => renameNode(draftParser, { files, own, ...rename }),
    renameField: async ({ loaded, files, own }, rename) => {
      const renamed = await renameField(draftParser, { files, own }, rename);
      return renamed.refusal === undefined
        ? { ...renamed, ...(await callersOf(rooms, loaded.id, rename)) }
        : renamed;
    },
    insertRead: ({ text }, { offset, path }) => draftParser.insertRead(text, offset, path),
    fixes: ({ loaded, text }) => language.fixes(loaded, text),
    complete: async (draft, at) => (await language.complete(...placed(draft, at))) ?? null,
    symbol: (draft, at) => language.symbol(...placed(draft, at)),
    testOfRow: (draft, { name, test }) => draftParser.testOfRow(textOf(draft, name), draft.text, test),
    preview: async ({ loaded, text }, input) =>
      previews.preview(await previewRequest(rooms.runs, { ...input, workflowId: loaded.id, text })),
    value: async ({ loaded }, address) => previews.value(loaded.id, address) ?? null,
    tests: ({ loaded, edited }, options) =>
      draftTests.run(async () => loaded, { ...options, workflowId: loaded.id, files: edited }),
    testRows: ({ loaded, edited }, test) => draftTests.rows(loaded, { ...test, files: edited }),
  };
}

/** A caret in the workflow's own file, or in its tests. */
const placed = (draft: EditorTexts, { name, offset }: { readonly name: string; readonly offset: number }) =>
  [
    draft.loaded,
    textOf(draft, name),
    name === draft.own ? { offset } : { offset, workflowText: draft.text },
  ] as const;

function checkOf({ authoring: { draftParser }, workflows: { sources } }: Services): Answers['check'] {
  /** Issues of files that do not depend on the workflow: they are checked once. */
  const known = new WeakMap<DocumentFile, readonly Issue[]>();
  const issuesOf = async ({ name, text, source }: EditorText): Promise<readonly Issue[]> => {
    const issues =
      known.get(source) ??
      (await (isRowsFileName(name) ? draftParser.rowsFile(text, name) : draftParser.cassette(text)));
    known.set(source, issues);
    return issues;
  };
  /** Never throws on any text. */
  return async ({ loaded: { file, location }, own, text, files }): Promise<CheckedDraft> => {
    const [loaded, outline] = await Promise.all([
      loadWorkflow({ path: file, location }, text, draftParser),
      draftParser.outline(text),
    ]);
    const problems = loaded.workflow === undefined ? [] : await sources.check(loaded);
    const sidecars: Record<string, readonly Issue[]> = {};
    for (const each of files.filter((one) => one.name !== own && one.text !== ''))
      sidecars[each.name] = testsFileName.test(each.name)
        ? (await draftParser.tests(each.text, loaded.workflow)).issues
        : await issuesOf(each);
    return { ...outline, issues: [...loaded.issues, ...problems], sidecars };
  };
}
