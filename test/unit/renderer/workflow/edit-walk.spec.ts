// A long walk of edits through the text, the graph and the form: all three show the same text after each edit, and undo
// leads back to its first byte.
import { expect, it, onTestFinished, vi } from 'vitest';
import type { EditorQuestion, JsonValue, WorkflowEdit } from '../../../../src-main/contract/index.ts';
import { nodeForm, type NodeForm } from '../../../../src-main/domain/authoring/create/node-form.ts';
import { connectionFields } from '../../../../src-main/domain/authoring/edit/connection-fields.ts';
import { editWorkflow } from '../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { renameNodeInFiles } from '../../../../src-main/domain/authoring/edit/rename-node.ts';
import { nodeTypeNames, nodeTypes } from '../../../../src-main/domain/nodes/catalogue.ts';
import { nodeEntries } from '../../../../src-main/domain/nodes/node-entries.ts';
import { outlineOf } from '../../../../src-main/domain/workflow/outline.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import type { EditorSession } from '../../../../src-renderer/state/workflow/files/editor-session.svelte.ts';
import {
  fieldEdits,
  moveMember,
  type FieldPath,
} from '../../../../src-renderer/state/workflow/form/form-edits.ts';
import { graphAround, ownerOfNode } from '../../../../src-renderer/state/workflow/graph/open-body.ts';
import { GraphEditing } from '../../../../src-renderer/state/workflow/graph/graph-editing.svelte.ts';
import { LivePreview } from '../../../../src-renderer/state/workflow/preview/live-preview.svelte.ts';
import { NodeFormEditor } from '../../../../src-renderer/state/workflow/form/node-form.svelte.ts';
import { Toasts } from '../../../../src-renderer/state/toasts.svelte.ts';
import { openSession } from './files/open-session.ts';
import type { ServedTexts } from './files/text-server.ts';

const walkLength = 250;
const maxNodes = 10;

const first = `# Ours: "quoted",   spaced
rowbench: 1
id:   leads
nodes:
  - id: input # rows
    type: input
  # Two of a kind.
  - { id: a, type: set, values: {  x: "=row.email", y: 0x1F } } # stays

  - id: b
    type: code
    code: |
      return nodes.a.x;
  # A body.
  - id: loop
    type: workflow
    each: row.list ?? []
    row: { n: =item }
    nodes:
      - { id: a, type: set, values: { x: =row.n } } # inner
      # Its output.
      - id: out
        type: output
        fields: {  n: =nodes.a.x }

  - id: result
    type:  output
    fields:
        "host": '=nodes.a.x'
        b: "{{ nodes.b }}"
`;

/** Remembers the last result, which the walk compares with what is shown. */
function remembered<Result>(work: (...texts: string[]) => Result): (...texts: string[]) => Result {
  let last: { readonly key: string; readonly result: Result } | undefined;
  return (...texts) => {
    const key = JSON.stringify(texts);
    last = last?.key === key ? last : { key, result: work(...texts) };
    return last.result;
  };
}
const outlineOfText = remembered((text = '') => outlineOf(text));
const formOfNode = remembered((text = '', nodeId = '') => nodeForm(text, nodeId === '' ? null : nodeId));

const own = 'leads.workflow.yaml';

/** The answer of the server, worked out by the function that its parser runs. */
function answerOf({ name, input }: EditorQuestion, { [own]: text = '' }: ServedTexts): unknown {
  switch (name) {
    case 'check':
      return { ...outlineOfText(text), issues: parseWorkflow(text).issues, sidecars: {} };
    case 'edit':
      return editWorkflow(text, input.edits);
    case 'form':
      return formOfNode(text, input.nodeId ?? '');
    case 'connections':
      return connectionFields(text, input);
    case 'renameNode': {
      const renamed = renameNodeInFiles({ workflow: text, tests: [], cassettes: [] }, input);
      return renamed.refusal === undefined
        ? { files: [{ name: own, changes: renamed.workflow }], unclearLines: [] }
        : renamed;
    }
    default:
      return undefined;
  }
}

/** The same numbers for the same seed. */
function randomNumbers(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, oneOf: <Item>(list: readonly Item[]) => list[below(list.length)] };
}

async function openWorkflow() {
  // A question waits for others.
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { call, workflowId, session, editor } = await openSession({ [own]: first }, answerOf);
  const form = new NodeFormEditor({
    call,
    session,
    toasts: new Toasts(),
    preview: new LivePreview({ call, ask: () => Promise.resolve(undefined), workflowId }),
  });
  let selected: string | undefined;
  const graph = new GraphEditing({
    call,
    toasts: { done: () => undefined, problem: () => undefined } as never,
    session: () => session,
    refusal: () => undefined,
    text: () => session.text,
    graph: () => graphAround(session.graph ?? { nodes: [], edges: [], edgesLeftOut: 0 }, selected),
    selected: () => selected,
    select: (nodeId) => (selected = nodeId),
    focus: () => undefined,
    goToLine: () => undefined,
    openForm: () => undefined,
  });
  /** Lets checks, forms and the draft follow the text. */
  const settle = async (): Promise<void> => {
    form.follow(selected);
    await vi.advanceTimersByTimeAsync(200);
    // An edit that was still being made may have selected another node.
    form.follow(selected);
    await vi.advanceTimersByTimeAsync(200);
  };
  const select = (nodeId: string | undefined): void => void (selected = nodeId);
  return { session, editor, form, graph, select, settle, selected: () => selected };
}

type Opened = Awaited<ReturnType<typeof openWorkflow>>;
type Numbers = ReturnType<typeof randomNumbers>;

/** Types in the text: a comment, a value, a node, or something that breaks the text. */
function typeText({ editor, session }: Opened, { below, oneOf }: Numbers): void {
  const { text } = session;
  const ends = [...text.matchAll(/(?<=\w)$/gm)].map(({ index }) => index);
  const kind = below(6);
  if (kind === 0) editor.typeAt(text.length, `\n  - id: t${below(1_000)}\n    type: set\n    values: {}\n`);
  else if (kind === 1) editor.typeAt(text.indexOf('nodes:'), '[');
  else if (kind === 2) editor.typeAt(oneOf(ends) ?? 0, ` x`);
  else editor.typeAt(oneOf(ends) ?? 0, ` # ${below(1_000)}`);
}

const entries = nodeEntries(nodeTypeNames.map((type) => nodeTypes[type]));

async function editGraph({ graph, session }: Opened, { below, oneOf }: Numbers): Promise<void> {
  const { nodes } = graph.runner;
  const [from, to] = [oneOf(nodes)?.id ?? '', oneOf(nodes)?.id ?? ''];
  const entry = oneOf(entries);
  const picked = (isRewired: boolean) =>
    entry && graph.addPicked({ entry, id: graph.picker.targetOf(entry).id, isRewired });
  const isFull = nodes.length >= maxNodes;
  switch (isFull ? 8 : below(10)) {
    case 0:
      graph.add();
      return picked(false);
    case 1: {
      graph.insert(oneOf(session.graph?.edges ?? []));
      return entry?.kind === 'node' ? picked(below(2) === 0) : undefined;
    }
    case 2:
      return graph.chosen.duplicate();
    case 3:
    case 4:
      return graph.move(below(2) === 0 ? 1 : -1);
    case 5:
      graph.rename();
      if (graph.question?.kind === 'rename') await graph.question.renaming.write(`n${below(1_000)}`);
      return graph.closeQuestion();
    case 6: {
      await graph.connection.connect({ from, to });
      const { question } = graph;
      const field = question?.kind === 'field' ? oneOf(question.fields) : undefined;
      return question?.kind === 'field' ? graph.connection.write(question, field) : undefined;
    }
    case 7:
      return graph.paste(graph.chosen.copy() ?? '');
    case 8: {
      await graph.remove();
      const { question } = graph;
      return question?.kind === 'delete' ? graph.deleteRead(question) : undefined;
    }
    default:
      return graph.disconnect();
  }
}

const fieldValues: readonly (readonly [FieldPath, JsonValue | undefined])[] = [
  [['when'], 'row.a == "x: y"'],
  [['when'], undefined],
  [['timeout'], '3s'],
  [['retry', 'attempts'], 2],
  [['retry', 'delay'], '2s'],
  [['retry'], undefined],
  [['each'], '=row.list'],
  [['each'], undefined],
  [['values', 'x'], 'two\nlines\n'],
  [['fields', 'x'], '=row.a # no comment'],
  [['values', 'x'], undefined],
  [['code'], 'const a = row.a;\nreturn a;'],
  [['id'], 'renamed'],
];

async function editForm({ form }: Opened, { oneOf, below }: Numbers): Promise<void> {
  const [path, value] = oneOf(fieldValues) ?? [['when'], undefined];
  const plan = (shown: NodeForm): readonly WorkflowEdit[] =>
    below(8) === 0 && 'values' in shown.node
      ? moveMember(shown, ['values', 0], 0)
      : fieldEdits(shown, path, value);
  await form.edit(plan, 'Edit');
}

/** The text before the first step, and after each. */
function textsAlong(session: EditorSession, step: () => boolean): readonly string[] {
  const texts = [session.text];
  while (step()) texts.push(session.text);
  return texts;
}

const commentLines = (text: string): number => text.match(/^ *# /gm)?.length ?? 0;

const messagesOf = (issues: readonly { readonly message: string }[]): readonly string[] =>
  issues.map(({ message }) => message).sort();

/** The graph, the issues and the form are those of the text. */
function assertSame({ session, form, selected }: Opened, last: JsonValue): JsonValue {
  const { nodes, edges, edgesLeftOut } = outlineOfText(session.text);
  expect(session.checked).toMatchObject({ nodes, edges, edgesLeftOut });
  const isBroken = nodes.length === 0;
  const shown = { nodes: session.graph?.nodes, edges: session.graph?.edges } as JsonValue;
  expect(shown).toEqual(isBroken ? last : { nodes, edges });
  const nodeId = selected();
  if (nodeId === undefined) return shown;
  const expected = formOfNode(session.text, nodeId);
  if (expected.kind === 'broken') expect(form.isReadOnly).toBe(true);
  else if (expected.kind === 'missing') expect(form.isMissing).toBe(true);
  else {
    expect(form.form).toEqual(expected);
    const ofNode = session.checked?.issues.filter(
      (issue) => issue.nodeId === nodeId || ownerOfNode(issue.nodeId) === nodeId,
    );
    expect(messagesOf(expected.issues)).toEqual(messagesOf(ofNode ?? []));
  }
  return shown;
}

it(
  `the views show one text through ${walkLength} edits, and undo leads back to its first byte`,
  { timeout: 180_000 },
  async () => {
    const opened = await openWorkflow();
    const { session, graph, form, select, settle } = opened;
    await settle();
    const numbers = randomNumbers(22);
    const counts = { text: 0, graph: 0, form: 0 };
    let shown: JsonValue = {};
    for (let made = 0; made < walkLength;) {
      const before = session.text;
      // A user would undo an edit that breaks the text.
      if (graph.obstacle !== undefined) session.undo();
      const all = session.graph?.nodes.flatMap((node) => [node, ...(node.body?.nodes ?? [])]);
      select(numbers.oneOf(all ?? [])?.id);
      form.follow(opened.selected());
      const view = numbers.oneOf(['text', 'graph', 'form'] as const) ?? 'text';
      if (view === 'text') typeText(opened, numbers);
      else if (view === 'graph') await editGraph(opened, numbers);
      else await editForm(opened, numbers);
      graph.closeQuestion();
      await settle();
      shown = assertSame(opened, shown);
      if (session.text === before) continue;
      // Only a deleted node takes comments with it.
      if (view !== 'text' && outlineOfText(session.text).nodes.length >= outlineOfText(before).nodes.length)
        expect(commentLines(session.text)).toBeGreaterThanOrEqual(commentLines(before));
      made += 1;
      counts[view] += 1;
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(walkLength / 6);
    // The walk may have ended with an undone edit.
    while (session.redo());
    const undone = textsAlong(session, () => session.undo());
    await settle();
    expect(session.text).toBe(first);
    expect(session.isChanged).toBe(false);
    // Each step leads to the same bytes both ways.
    const redone = textsAlong(session, () => session.redo());
    expect(undone.length).toBeGreaterThan(walkLength / 2);
    expect(redone.toReversed()).toEqual(undone);
    // No edit takes the comment of the file.
    for (const text of undone) expect(text).toContain('# Ours: "quoted",   spaced');
    await session.close();
  },
);
