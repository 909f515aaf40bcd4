// Writes a read of a value, such as `row.address.city`, at the caret of a workflow file: as the value there needs it. Who
// calls: the editor, when the user picks a key of a value.
import { quoted } from '../edit/write-value.ts';
import { codeKindAt } from '../edit/workflow-nodes.ts';
import type { TextChange } from '../edit/text-changes.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import { nodesAt, ownerOf } from '../../workflow/node-path.ts';
import { caretAt, caretInValue, type Caret, type EditedValue } from './caret.ts';
import { codeBefore, nodeAt, pathInNode } from './code-completion.ts';
import { inQuotes, isJsonFile, valueStart, writtenValue } from './written-value.ts';

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

/** @param path from `row`, or from `nodes` and the id of a node */
export function insertRead(
  text: string,
  { offset, value }: ReadOffset,
  path: readonly PathStep[],
): InsertedRead {
  const site = siteAt(value === undefined ? caretAt(text, offset) : caretInValue(text, value, offset));
  if (site === undefined) return { refusal: 'Put the caret into a value of a node that can read others' };
  const { caret, nodeId, isCode } = site;
  if (ownerOf(nodesAt(caret.path)) !== undefined)
    return { refusal: 'A body sees only its own row: put the value into "row" of the node around it' };
  if (path[0] === 'nodes' && path[1] === nodeId)
    return { refusal: `The node "${path[1]}" cannot read its own value` };
  const code = readOf(path);
  if (caret.text !== '') return insertInto(caret, offset, isCode ? code : `{{ ${code} }}`);
  const from = caret.style === 'block' ? offset : valueStart(caret);
  const insert = writtenValue(isCode ? code : `=${code}`, caret, isJsonFile(text));
  // Code never ends with quotes: these are of the value.
  const behindCode = insert.length - (/["']$/.test(insert) ? 1 : 0);
  return { change: { from, to: offset, insert }, caret: from + behindCode };
}

/** The value at the caret; undefined where no code can stand. `isCode`: it stands in code already. */
function siteAt(caret: Caret | undefined) {
  const node = caret && nodeAt(caret);
  const kind = caret && node && codeKindAt(node, pathInNode(caret));
  if (caret === undefined || node === undefined || kind === undefined) return undefined;
  return { caret, nodeId: node['id'], isCode: codeBefore(kind, caret) !== undefined };
}

/** JavaScript that reads the value: names that are none in JavaScript stand in brackets. */
const readOf = ([root = 'row', ...steps]: readonly PathStep[]): string =>
  steps.reduce<string>((code, step) => {
    if (typeof step === 'number') return `${code}[${step}]`;
    if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step)) return `${code}.${step}`;
    return `${code}['${step.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}']`;
  }, String(root));

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
