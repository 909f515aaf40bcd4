// The server's side of a window's texts: it has them as the window sends them, and answers questions about them.
import { systemClock } from '../../../../../src-main/base/system-clock.ts';
import type { AnswersView, EditorQuestion, Input } from '../../../../../src-main/contract/index.ts';
import { DraftDocuments, editedFiles } from '../../../../../src-main/services/authoring/draft-documents.ts';

export type ServedTexts = Readonly<Record<string, string>>;
type Answer = (question: EditorQuestion, texts: ServedTexts) => unknown;

export const draftTime = '2026-01-01T00:00:00.000Z';

/** @param onDisk texts of files by name */
export function textServer(onDisk: ServedTexts, answer: Answer) {
  const documents = new DraftDocuments(systemClock);
  return {
    /** Resolves to the answer of `author.change`, with the files of the draft if it is stored. */
    change: async ({ workflowId, editor, stores, ...change }: Input<'author.change'>) => {
      const document = await documents.change({ workflowId, editor }, change);
      if (!('files' in document)) return { view: 'textsMissing' in document ? document : {} };
      if (stores === undefined) return { view: {} };
      return { view: { storedAt: draftTime }, draft: editedFiles(document) };
    },
    ask: async ({ workflowId, editor, version, questions }: Input<'author.ask'>): Promise<AnswersView> => {
      const document = await documents.find({ workflowId, editor }, version);
      if (!('files' in document)) return document;
      const files = [...document.files.values()];
      const texts = Object.fromEntries(files.map(({ name, text = onDisk[name] ?? '' }) => [name, text]));
      return { answers: questions.map((question) => answer(question, texts)) };
    },
    /** The server has lost all texts, as after a restart. */
    lose: () => documents.drop({ workflowId: 'leads', editor: 'editor' }),
  };
}
