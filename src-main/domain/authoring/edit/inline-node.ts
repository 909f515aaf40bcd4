// Inline: the values of a `set` node go to the expressions that read them, and the node goes away.
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import { codeRegions, type CodeRegion } from '../../expressions/find-references.ts';
import { declaredAround, isPrimary, namesUsed } from '../../expressions/moved-expression.ts';
import { hasPlaceholder } from '../../expressions/parse-template.ts';
import { readsOfValues, type ValueRead } from '../../expressions/value-reads.ts';
import { describePath } from './editable-file.ts';
import type { EditSession } from './edit-text.ts';
import type { TextChange } from './text-changes.ts';
import {
  afterEntries,
  nodeOf,
  nodesAround,
  readsOf,
  referencesIn,
  type TextReferences,
  type WrittenNode,
} from './workflow-nodes.ts';

export function inlineNode(session: EditSession, nodeId: string): void {
  const { file } = session;
  const node = nodeOf(file, nodeId);
  const refuse = (reason: string): never => file.refuse(reason, file.offsetOf(node.path));
  const values = valuesOf(node, refuse);
  const { id } = node;
  const others = nodesAround(file, node).filter(({ index }) => index !== node.index);
  const waiting = others.find((other) => afterEntries(other).some((entry) => entry.id === id));
  if (waiting !== undefined)
    file.refuse(
      `${waiting.id} waits for it in "after"`,
      file.offsetOf(waiting.path),
      readsOf(file, [waiting], id),
    );
  const reading = referencesIn(others).filter(({ references }) => references.some((each) => each.id === id));
  if (reading.length === 0) refuse('No node reads it: delete it instead');
  const texts = reading.map((text) => {
    if (node.json['when'] !== undefined && node.json['when'] !== text.node.json['when'])
      refuse(`It has a condition that ${text.node.id} does not have`);
    return { path: text.path, changes: changesIn(text, { id, values, refuse }) };
  });
  session.edit({ kind: 'changeTexts', texts });
  session.edit({ kind: 'removeItem', path: node.path });
}

type Refuse = (reason: string) => never;

/** Code of each value. */
function valuesOf({ json }: WrittenNode, refuse: Refuse): ReadonlyMap<string, string> {
  const { type, values } = json;
  if (type !== 'set') return refuse('Only a node of the type "set" can be inlined');
  const other = Object.keys(json).find((key) => !['id', 'type', 'values', 'when'].includes(key));
  if (other !== undefined) return refuse(`Remove "${other}" first: its readers cannot have it`);
  if (!isJsonObject(values)) return refuse('Its values are made by one expression');
  return new Map(Object.entries(values).map(([key, value]) => [key, codeOf(value) ?? '']));
}

/** The value as an expression; undefined for lists and objects with expressions in them. */
function codeOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') {
    if (value.startsWith('=')) return value.slice(1).trim();
    return hasPlaceholder(value) ? templateCode(value) : JSON.stringify(value);
  }
  const json = JSON.stringify(value);
  return typeof value === 'object' && /[=]|\{\{/.test(json) ? undefined : json;
}

/** The template as a template literal of JavaScript. */
function templateCode(text: string): string | undefined {
  let at = 0;
  let code = '';
  const escaped = (part: string): string => part.replaceAll(/[\\`]|\$\{/g, '\\$&');
  for (const { offset, code: inner } of codeRegions('text', text)) {
    code += `${escaped(text.slice(at, offset - 2))}\${${inner.trim()}}`;
    at = offset + inner.length + 2;
  }
  const rest = text.slice(at);
  return rest.includes('{{') ? undefined : `\`${code}${escaped(rest)}\``;
}

type Inlined = { readonly id: string; readonly values: ReadonlyMap<string, string>; readonly refuse: Refuse };

function changesIn(text: TextReferences, inlined: Inlined): readonly TextChange[] {
  const { id, refuse } = inlined;
  const field = `${text.node.id}.${describePath(text.path.slice(text.node.path.length))}`;
  if (text.hasUnclearReads) refuse(`${field} has a mistake, or computes the name of a node`);
  const changes = codeRegions(text.kind, text.text).flatMap((region) =>
    readsOfValues(region.tree, id).map((read) => changeOf(region, read, inlined)),
  );
  if (changes.length !== text.references.filter((each) => each.id === id).length)
    refuse(`${field} reads all of it, not only its values`);
  return changes.toSorted((one, other) => one.from - other.from);
}

function changeOf(
  region: CodeRegion,
  { node, key, around }: ValueRead,
  { values, refuse }: Inlined,
): TextChange {
  const code = values.get(key);
  if (code === undefined) return refuse(`It has no value "${key}"`);
  const [parsed] = code === '' ? [] : codeRegions('expression', code);
  if (parsed === undefined) return refuse(`The value "${key}" cannot stand in an expression`);
  const declared = declaredAround(around);
  const shadowed = namesUsed(parsed.tree).find((name) => declared.has(name));
  if (shadowed !== undefined) return refuse(`"${shadowed}" is a variable of the code that reads it`);
  const isEnclosed = region.code[node.start - 1] === '(' && region.code[node.end] === ')';
  const isSafe = around.length === 0 || isEnclosed ? parsed.tree.type !== 'SequenceExpression' : false;
  // A comment at the end of the code would go on behind it.
  const lineBreak = code.includes('//') ? '\n' : '';
  const isBare = (isSafe || isPrimary(parsed.tree)) && lineBreak === '';
  const insert = isBare ? code : `(${code}${lineBreak})`;
  const from = region.offset + node.start;
  return { from, to: region.offset + node.end, insert };
}
