// What can be done to a node or an edge in the graph: for its keys, its menus and the palette.
import type { OutlineNodeView } from '../../../state/workflow/graph/graph-edits.ts';
import type { GraphEditing } from '../../../state/workflow/graph/graph-editing.svelte.ts';
import { callsWorkflow } from '../../../state/workflow/graph/body-moves.ts';
import type { NodeEntry } from '#contract';
import type { Command } from '../../../state/shell/rank-commands.ts';
import type { Verb } from '../../../ui/lists/MenuList.svelte';

type GraphVerb = {
  readonly id: string;
  readonly title: string;
  /** Keys as they are printed, for menus. */
  readonly keys: string;
  /** Value of `KeyboardEvent.key`; absent: the browser reports the verb by an event of its own. */
  readonly key?: string;
  readonly isAlt?: boolean;
  readonly isDanger?: boolean;
  readonly startsGroup?: boolean;
  /** Absent: the verb is for all nodes. */
  readonly isFor?: (node: OutlineNodeView | undefined) => boolean;
  readonly act: (editing: GraphEditing) => void;
};

const graphVerbs: readonly GraphVerb[] = [
  { id: 'add', title: 'Add a node behind it…', keys: 'A', key: 'a', act: (editing) => editing.add() },
  { id: 'insert', title: 'Insert on an edge…', keys: 'I', key: 'i', act: (editing) => editing.insert() },
  { id: 'connect', title: 'Connect to…', keys: 'C', key: 'c', act: (editing) => editing.connect() },
  { id: 'disconnect', title: 'Disconnect…', keys: 'X', key: 'x', act: (editing) => editing.disconnect() },
  {
    id: 'rename',
    title: 'Rename…',
    keys: 'F2',
    key: 'F2',
    startsGroup: true,
    act: (editing) => editing.rename(),
  },
  { id: 'condition', title: 'Only if…', keys: 'W', key: 'w', act: (editing) => editing.askCondition() },
  {
    id: 'frame',
    title: 'Choose all with its condition',
    keys: 'B',
    key: 'b',
    act: (editing) => editing.chosen.chooseFrame(),
  },
  {
    id: 'duplicate',
    title: 'Duplicate',
    keys: 'D',
    key: 'd',
    act: (editing) => editing.perform(() => editing.chosen.duplicate()),
  },
  {
    id: 'earlier',
    title: 'Move earlier in the file',
    keys: 'Alt ↑',
    key: 'ArrowUp',
    isAlt: true,
    act: (editing) => editing.perform(() => editing.move(-1)),
  },
  {
    id: 'later',
    title: 'Move later in the file',
    keys: 'Alt ↓',
    key: 'ArrowDown',
    isAlt: true,
    act: (editing) => editing.perform(() => editing.move(1)),
  },
  {
    id: 'inline',
    title: 'Inline its values',
    keys: 'L',
    key: 'l',
    act: (editing) => editing.perform(() => editing.inline()),
  },
  {
    id: 'moveOut',
    title: 'Move its body to a workflow…',
    keys: 'M',
    key: 'm',
    isFor: (node) => node?.body !== undefined,
    act: (editing) => editing.perform(() => editing.bodies.move()),
  },
  {
    id: 'moveIn',
    title: 'Move the called workflow in',
    keys: 'M',
    key: 'm',
    isFor: (node) => node !== undefined && callsWorkflow(node),
    act: (editing) => editing.perform(() => editing.bodies.move()),
  },
  {
    id: 'form',
    title: 'Open its form or body',
    keys: '↵',
    key: 'Enter',
    act: (editing) => editing.perform(() => editing.open()),
  },
  { id: 'leave', title: 'Leave the body', keys: 'U', key: 'u', act: (editing) => editing.runner.leaveBody() },
  { id: 'text', title: 'Go to its text', keys: 'E', key: 'e', act: (editing) => editing.goToText() },
  {
    id: 'copy',
    title: 'Copy',
    keys: 'Ctrl C',
    startsGroup: true,
    act: (editing) => void writeClipboard(editing),
  },
  {
    id: 'cut',
    title: 'Cut',
    keys: 'Ctrl X',
    act: (editing) => editing.perform(() => writeClipboard(editing).then(() => editing.remove())),
  },
  {
    id: 'paste',
    title: 'Paste behind it',
    keys: 'Ctrl V',
    act: (editing) => editing.perform(() => pasteClipboard(editing)),
  },
  {
    id: 'delete',
    title: 'Delete',
    keys: 'Del',
    key: 'Delete',
    startsGroup: true,
    isDanger: true,
    act: (editing) => editing.perform(() => editing.remove()),
  },
];

/** The verbs for the selected node. */
const verbsFor = ({ runner }: GraphEditing): readonly GraphVerb[] =>
  graphVerbs.filter(({ isFor }) => isFor?.(runner.selectedNode) !== false);

/** The verbs for a menu; all are unavailable while the text is broken. */
export const menuVerbs = (editing: GraphEditing): readonly Verb[] => {
  const { obstacle } = editing;
  const verbs = verbsFor(editing).map(({ id, title, keys, isDanger = false, startsGroup = false, act }) => ({
    ...{ id, title, note: keys, isDanger, startsGroup, isDisabled: obstacle !== undefined },
    act: () => act(editing),
  }));
  if (obstacle === undefined) return verbs;
  const fix = { id: 'obstacle', title: obstacle, act: () => editing.goToObstacle() };
  return [fix, ...verbs];
};

/** Commands of the palette: the verbs, and the entries of the picker, each of which opens it. */
export const graphCommands = (
  editing: GraphEditing,
  selected: string | undefined,
  entries: readonly NodeEntry[],
): readonly Command[] => [
  ...verbsFor(editing).map(({ id, title, keys, act }) => ({
    id: `graph-${id}`,
    section: 'Graph',
    title: selected === undefined ? title : `${selected}: ${title}`,
    keys: keys.split(' '),
    act: () => act(editing),
  })),
  ...entries.map(({ title, keywords }) => ({
    id: `add-${title}`,
    section: 'Add',
    title,
    words: keywords,
    act: () => editing.add(title),
  })),
];

/** Puts the chosen nodes into the clipboard of a copy or a cut. */
export function copyNodes(editing: GraphEditing, event: ClipboardEvent): void {
  // Another key can choose others before these are deleted.
  const { ids } = editing.chosen;
  const text = editing.chosen.copy();
  if (text === undefined) return;
  event.preventDefault();
  event.clipboardData?.setData('text/plain', text);
  if (event.type === 'cut') editing.perform(() => editing.chosen.delete(ids));
}

export function pasteNodes(editing: GraphEditing, event: ClipboardEvent): void {
  event.preventDefault();
  const text = event.clipboardData?.getData('text/plain') ?? '';
  editing.perform(() => editing.paste(text));
}

async function writeClipboard(editing: GraphEditing): Promise<void> {
  const text = editing.chosen.copy();
  if (text !== undefined) await navigator.clipboard.writeText(text).catch(() => undefined);
}

async function pasteClipboard(editing: GraphEditing): Promise<void> {
  // Browsers ask the user first, and some refuse.
  const text = await navigator.clipboard.readText().catch(() => undefined);
  if (text === undefined) editing.chosen.explainPaste();
  else await editing.paste(text);
}

/** Keys of the page while the file is only shown: edit the file, start a new run. */
const keysOfPage: readonly string[] = ['e', 'c'];

/** Does what the key stands for. False if it stands for nothing here. */
export function pressGraphKey(editing: GraphEditing, event: KeyboardEvent): boolean {
  const { key, altKey, shiftKey } = event;
  if (event.ctrlKey || event.metaKey) return editing.isEditing && pressUndo(editing, event);
  if (editing.connection.from !== undefined && pressWhileConnecting(editing, key)) return true;
  const name = key === 'Backspace' ? 'Delete' : key;
  const hasKey = (verb: GraphVerb): boolean => verb.key === name && (verb.isAlt ?? false) === altKey;
  const verb = graphVerbs.find(hasKey);
  if (verb === undefined || shiftKey || (!editing.isEditing && keysOfPage.includes(name))) return false;
  verb.act(editing);
  return true;
}

function pressUndo(editing: GraphEditing, { key, shiftKey }: KeyboardEvent): boolean {
  const letter = key.toLowerCase();
  if (letter === 'z' && !shiftKey) editing.perform(() => editing.runner.undo());
  else if (letter === 'y' || letter === 'z') editing.perform(() => editing.runner.redo());
  else return false;
  return true;
}

function pressWhileConnecting({ connection, runner }: GraphEditing, key: string): boolean {
  const { selectedNode } = runner;
  if (key === 'Escape') connection.cancel();
  else if (key === 'Enter' && selectedNode !== undefined) void connection.takeTarget(selectedNode.id);
  else return false;
  return true;
}
