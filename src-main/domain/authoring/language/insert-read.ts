// Writes a read of a value, such as `row.address.city`, at the caret of a workflow file: as the value there needs it. Who
// calls: the editor, when the user picks a key of a value.
import type { JsonValue } from '../../../base/json-value.ts';
import { quoted } from '../edit/write-value.ts';
import { codeKindAt } from '../edit/workflow-nodes.ts';
import type { TextChange } from '../edit/text-changes.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import { nodesAt, ownerOf } from '../../workflow/node-path.ts';
import { caretAt, caretInValue, type Caret, type EditedValue } from './caret.ts';
import { codeBefore, nodeAt, pathInNode } from './code-completion.ts';
import { inQuotes, isJsonFile, valueStart, writtenValue } from './written-value.ts';

/** A value that is to be read. */
export type PickedValue = {
  /** From `row` or `item`, or from `nodes` and the id of a node. */
  readonly path: readonly PathStep[];
  /** Id of the node with `each` whose item the path leads into. */
  readonly itemOf?: string | undefined;
};

export type InsertedRead =
  | {
      readonly change: TextChange;
      /** Offset of the caret after the change: behind the path. */
      readonly caret: number;
      readonly refusal?: undefined;
    }
  | { readonly refusal: string };

/** Where the read is to stand. With `value`, which is edited apart from the text, all offsets are in it. */
type ReadOffset = { readonly offset: number; readonly value?: EditedValue | undefined };

export function insertRead(text: string, { offset, value }: ReadOffset, picked: PickedValue): InsertedRead {
  const { path } = picked;
  const site = siteAt(value === undefined ? caretAt(text, offset) : caretInValue(text, value, offset));
  if (site === undefined) return { refusal: 'Put the caret into a value of a node that can read others' };
  const refusal = refusalAt(site, picked);
  if (refusal !== undefined) return { refusal };
  const { caret, node, code: before } = site;
  const read = readOf(hasItem(caret) ? itemPath(path, node['each']) : path);
  if (caret.text !== '')
    return insertInto(caret, offset, before === undefined ? `{{ ${read} }}` : apart(read, before, caret));
  const from = caret.style === 'block' ? offset : valueStart(caret);
  const insert = writtenValue(before === undefined ? `=${read}` : read, caret, isJsonFile(text));
  // Code never ends with quotes: these are of the value.
  const behindCode = insert.length - (/["']$/.test(insert) ? 1 : 0);
  return { change: { from, to: offset, insert }, caret: from + behindCode };
}

/** Why the value at the caret cannot read that one; undefined: it can. */
function refusalAt({ caret, node }: Site, { path, itemOf }: PickedValue): string | undefined {
  if (ownerOf(nodesAt(caret.path)) !== undefined)
    return 'A body sees only its own row: put the value into "row" of the node around it';
  if (path[0] === 'nodes' && path[1] === node['id']) return `The node "${path[1]}" cannot read its own value`;
  if (itemOf !== undefined && itemOf !== node['id'])
    return `An item of "${itemOf}" can only be read in "${itemOf}"`;
  return path[0] === 'item' && !(hasItem(caret) && Object.hasOwn(node, 'each'))
    ? 'Only values of a node with "each" can read an item'
    : undefined;
}

type Site = NonNullable<ReturnType<typeof siteAt>>;

/** The value at the caret; undefined where no code can stand. `code`: that before the caret; undefined in plain text. */
function siteAt(caret: Caret | undefined) {
  const node = caret && nodeAt(caret);
  const kind = caret && node && codeKindAt(node, pathInNode(caret));
  if (caret === undefined || node === undefined || kind === undefined) return undefined;
  return { caret, node, code: codeBefore(kind, caret) };
}

/** True if the value at the caret is computed for each item; these keys decide about the items themselves. */
const hasItem = (caret: Caret): boolean => !['each', 'when'].includes(String(pathInNode(caret)[0]));

/** The path from `item` on, if it leads through an item of the list that `each` names. */
function itemPath(path: readonly PathStep[], each: JsonValue | undefined): readonly PathStep[] {
  if (typeof each !== 'string') return path;
  const list = each.replace(/^=/, '').trim();
  const at = path.findIndex((step, n) => typeof step === 'number' && readOf(path.slice(0, n)) === list);
  return at < 0 ? path : ['item', ...path.slice(at + 1)];
}

/** Code that is no part of the words around it. */
function apart(code: string, before: string, { text, at }: Caret): string {
  const start = /[\p{ID_Continue}$)\]}'"`]$/u.test(before) ? ' ' : '';
  return start + code + (/^[\p{ID_Continue}$]/u.test(text.slice(at)) ? ' ' : '');
}

/** JavaScript that reads the value: names that are none in JavaScript stand in brackets. */
const readOf = ([root = 'row', ...steps]: readonly PathStep[]): string =>
  steps.reduce<string>((code, step) => {
    if (typeof step === 'number') return `${code}[${step}]`;
    if (/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(step)) return `${code}.${step}`;
    return `${code}[${inSingleQuotes(step)}]`;
  }, String(root));

function inSingleQuotes(name: string): string {
  const inDouble = JSON.stringify(name).slice(1, -1);
  return `'${inDouble.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

function insertInto(caret: Caret, offset: number, insert: string): InsertedRead {
  if (caret.style !== 'plain') {
    const written = inQuotes(insert, caret);
    return { change: { from: offset, to: offset, insert: written }, caret: offset + written.length };
  }
  const before = caret.text.slice(0, caret.at) + insert;
  const whole = before + caret.text.slice(caret.at);
  if (isPlain(whole, caret.isFlow))
    return { change: { from: offset, to: offset, insert }, caret: offset + insert.length };
  // Plain text cannot hold it: quotes go around all of it.
  const change = { from: caret.from, to: caret.to, insert: quoted(whole, '"') };
  return { change, caret: caret.from + quoted(before, '"').length - 1 };
}

const isPlain = (text: string, isFlow: boolean): boolean =>
  !/: | #|:$|^[\s[\]{},&*#?|>@`"'%!-]/.test(text) && (!isFlow || !/[[\]{},]/.test(text));
