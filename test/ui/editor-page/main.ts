// A page with the code editor alone, for its spec: built as the app is, and handed out by the real server under its
// policy. What the editor reports is in `editorTest`.
import { mount } from 'svelte';
import CodeEditor from '../../../src-renderer/ui/code-editor/CodeEditor.svelte';
import type { CodeEditorView } from '../../../src-renderer/ui/code-editor/code-editor-view.ts';
import type {
  CodeIssue,
  LineRange,
  LineValues,
  TextUpdate,
} from '../../../src-renderer/ui/code-editor/editor-types.ts';

type EditorProps = {
  readonly initialText: string;
  readonly issues?: readonly CodeIssue[];
  readonly selected?: LineRange;
  readonly lineValues?: LineValues;
  readonly isReadOnly?: boolean;
};

type EditorMethods = Pick<CodeEditorView, 'apply' | 'replaceAll' | 'reveal' | 'select' | 'undo'> & {
  readonly text: () => string;
};

type Update = TextUpdate & { readonly text: string };

/** The last ones: a text may have a megabyte. */
const updates: Update[] = [];
const maxUpdates = 10;
const carets: { line: number; offset: number }[] = [];
const pressed: string[] = [];
const requests: { offset: number; isAborted: boolean }[] = [];
const violations: string[] = [];

document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
  violations.push(`${violatedDirective} by ${sourceFile}`),
);

function open(props: EditorProps): void {
  const target = document.querySelector('#editor');
  if (target === null) return;
  const mounted: unknown = mount(CodeEditor, {
    target,
    props: {
      ...props,
      label: 'Workflow file',
      keys: [
        { key: 'Mod-s', run: () => pressed.push('save') },
        { key: 'F8', run: () => pressed.push('next problem') },
      ],
      onchange: (text: string, update: TextUpdate) => {
        updates.push({ ...update, text });
        if (updates.length > maxUpdates) updates.shift();
      },
      oncaret: (line: number, offset: number) => carets.push({ line, offset }),
      complete: (offset: number, text: string, { signal }: { readonly signal: AbortSignal }) => {
        const request = { offset, isAborted: false };
        requests.push(request);
        signal.addEventListener('abort', () => (request.isAborted = true));
        const { 0: word = '' } = /[\w.]*$/.exec(text.slice(Math.max(0, offset - 20), offset)) ?? {};
        // A list that opens behind a colon would take the next Enter for itself.
        if (word === '') return Promise.resolve(undefined);
        // The owner never answers this one.
        if (word.startsWith('slow')) return new Promise<undefined>(() => undefined);
        if (word.startsWith('many')) {
          const options = Array.from({ length: 40 }, (_, n) => ({ label: `many${n}` }));
          return Promise.resolve({ from: offset - word.length, options });
        }
        return Promise.resolve({
          from: offset - word.length,
          options: [
            { label: 'transform', detail: 'node', info: 'Makes a value of expressions' },
            { label: 'type', detail: 'key', insert: 'type: ' },
            { label: 'trick\u202E', detail: 'key' },
          ],
        });
      },
      hover: (offset: number) =>
        Promise.resolve(
          offset < 3 ? { from: 0, to: 2, text: 'The id of the workflow', value: '"greet"' } : undefined,
        ),
    },
  });
  // Outside of Svelte's own check, its exports have no types.
  editorTest.editor = mounted as EditorMethods;
}

export type EditorTest = typeof editorTest;

const editorTest = {
  open,
  updates,
  carets,
  pressed,
  requests,
  violations,
  editor: undefined as EditorMethods | undefined,
};
Object.assign(globalThis, { editorTest });
