// A window of the app as the server sees it: it sends its texts, and asks about them.
import type {
  FileChange,
  Handlers,
  QuestionAnswer,
  QuestionInput,
  QuestionName,
} from '../../src-main/contract/index.ts';

type Windows = Pick<Handlers, 'author.change' | 'author.ask'>;

let windows = 0;

/** A file with a text of the window, in place of the one on the disk. */
export const fileWith = (name: string, text: string): FileChange => ({ name, baseHash: null, text });

/** The answer to a question about these files, as a new window asks it; undefined if it was superseded. */
export async function askAbout<N extends QuestionName>(
  handlers: Windows,
  workflowId: string,
  files: readonly FileChange[],
  name: N,
  input: QuestionInput<N>,
): Promise<QuestionAnswer<N> | undefined> {
  windows += 1;
  const window = { workflowId, editor: `window ${windows}`, version: 1 };
  await handlers['author.change']({ ...window, base: null, files });
  const answer = await handlers['author.ask']({ ...window, questions: [{ name, input }] as never });
  if ('textsMissing' in answer) throw new Error('The server does not have the texts');
  return 'answers' in answer ? (answer.answers[0] as QuestionAnswer<N>) : undefined;
}

/** The answer to a question about the text of the workflow's own file. Throws an error if it was superseded. */
export async function askAboutText<N extends QuestionName>(
  handlers: Windows,
  { workflowId, text }: { readonly workflowId: string; readonly text: string },
  name: N,
  input: QuestionInput<N>,
): Promise<QuestionAnswer<N>> {
  const files = [fileWith(`${workflowId}.workflow.yaml`, text)];
  const found = await askAbout(handlers, workflowId, files, name, input);
  if (found === undefined) throw new Error('The question was superseded');
  return found;
}
