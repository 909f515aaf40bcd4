// Changes of the tests in a draft, each one step that can be undone.
import type { QuestionInput } from '#contract';
import type { EditorSession } from './editor-session.svelte.ts';

/** A test by its file and line. */
export type TestLine = { readonly name: string; readonly line: number };

const isLate = 'The text changed at the same moment; try again.';

/** Lets failed tests expect what came. Resolves to false if none of them can. Throws an error with a message for the user. */
export async function acceptValues(
  session: EditorSession,
  choice: QuestionInput<'updateTests'>,
): Promise<boolean> {
  const found = await session.ask('updateTests', choice);
  if (found === undefined) throw new Error(isLate);
  const changes = found.files.map(({ name, text }) => ({
    name,
    changes: session.file(name)?.differenceTo(text) ?? [],
  }));
  await session.applyToFiles(changes, 'Accept new values');
  return found.files.length > 0;
}

/** Gives the test another value at a key, or removes the key. Throws an error with a message for the user. */
export async function changeTest(
  session: EditorSession,
  { name, line }: TestLine,
  edit: Pick<QuestionInput<'editTest'>, 'key' | 'value'>,
): Promise<void> {
  const refusal = await session.applyPlan(async () => {
    const edited = await session.ask('editTest', { name, line, ...edit });
    if (edited === undefined || edited.refusal !== undefined) return edited;
    return { files: [{ name, changes: edited.changes }] };
  }, `Change the ${edit.key} of a test`);
  if (refusal !== undefined) throw new Error(refusal.reason);
}

/**
 * Records the answers to the calls of the test. One without a cassette names that of the workflow from now on. Throws an
 * error with a message for the user.
 */
export async function recordTest(
  session: EditorSession,
  test: TestLine & { readonly cassette?: string | undefined },
  profile: string,
) {
  const { name, line } = test;
  const own = session.fileName.replace(/\.workflow\.(ya?ml|json)$/, '.cassette.json');
  if (test.cassette === undefined) await changeTest(session, test, { key: 'cassette', value: own });
  const recorded = await session.record({ name, line, ...(profile === '' ? {} : { profile }) });
  if (recorded === undefined) throw new Error(isLate);
  return recorded;
}
