// Pastes nodes from a text: a part of a workflow file, with or without its indentation, or a whole one.
import { isJsonObject, type JsonObject } from '../../../base/json-value.ts';
import { freeNodeId } from '../../nodes/free-node-id.ts';
import { textOfEntry } from './block-entries.ts';
import { changeReferences } from './connect-nodes.ts';
import { RefusedEdit } from './editable-file.ts';
import { EditSession } from './edit-text.ts';
import { writtenNodes } from './workflow-nodes.ts';

/** `written`: the node with its comments, its dash in the first column; absent: it is written anew. */
type PastedNode = { readonly value: JsonObject; readonly written?: string };

export function pasteNodes(session: EditSession, text: string, index: number | undefined): void {
  const source = readPasted(text) ?? session.file.refuse('The clipboard has no nodes');
  const taken = idsIn(session);
  for (const { id, index: at } of writtenNodes(source.file)) {
    if (!taken.includes(id)) continue;
    const newId = freeNodeId(id, [...taken, ...idsIn(source)]);
    changeReferences(source, writtenNodes(source.file), { from: id, to: newId });
    source.edit({ kind: 'setValue', path: ['nodes', at, 'id'], value: newId });
  }
  const isEmpty = session.file.jsonAt(['nodes']) === null;
  const end = isEmpty ? 0 : session.file.collectionAt(['nodes']).collection.entries.length;
  for (const [at, node] of pastedNodes(source).entries())
    session.edit({ kind: 'insertItem', path: ['nodes'], index: (index ?? end) + at, ...node });
}

const idsIn = ({ file }: EditSession): string[] => writtenNodes(file).map(({ id }) => id);

/** The pasted text as a workflow of its nodes; undefined if it has none, or if a node has no id or that of another one. */
function readPasted(pasted: string): EditSession | undefined {
  const text = pasted.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const candidates = [text, asItems(text), asItems(alignFirstLine(text)), asItems(`- ${indented(text)}`)];
  for (const candidate of candidates) {
    const session = openText(candidate);
    const list = session?.file.jsonAt([]);
    const nodes = isJsonObject(list) ? list['nodes'] : undefined;
    if (session === undefined || !Array.isArray(nodes) || nodes.length === 0) continue;
    if (new Set(idsIn(session)).size === nodes.length) return session;
  }
  return undefined;
}

const indented = (text: string): string => text.replaceAll(/\n(?!\n|$)/g, '\n  ');

const asItems = (text: string): string => `nodes:\n${indented(`\n${text}`).slice(1)}`;

/** A selection that begins behind the indentation of its first line has less there than in the other lines. */
function alignFirstLine(text: string): string {
  const first = /^[ \t]*/.exec(text)?.[0].length ?? 0;
  const others = text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '');
  const indents = others.map((line) => line.search(/\S/));
  const dash = others.findIndex((line) => /^\s*- id:/.test(line));
  const column = indents[dash] ?? Math.min(...indents) - 2;
  return Number.isFinite(column) && column > first ? ' '.repeat(column - first) + text : text;
}

function openText(text: string): EditSession | undefined {
  try {
    return new EditSession(text);
  } catch (error) {
    if (error instanceof RefusedEdit) return undefined;
    throw error;
  }
}

function pastedNodes({ file }: EditSession): PastedNode[] {
  const { collection } = file.collectionAt(['nodes']);
  return collection.entries.map(({ start }, index) => {
    const json = file.jsonAt(['nodes', index]);
    const value = isJsonObject(json) ? json : file.refuse('An alias (*name) stands in the way', start);
    if (collection.isFlow) return { value };
    const column = file.column(start);
    const written = textOfEntry(collection, index).replaceAll(`\n${' '.repeat(column)}`, '\n');
    return { value, written };
  });
}
