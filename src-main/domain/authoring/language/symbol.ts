// What stands at an offset of a file: its description and value, where it is defined, and everywhere it is named. Who calls:
// the editor, through the parser process.
import { EditableFile, RefusedEdit, type Path } from '../edit/editable-file.ts';
import { scalarUnits } from '../edit/scalar-units.ts';
import {
  afterEntries,
  referencesIn,
  writtenLists,
  type TextReferences,
  type WrittenNode,
} from '../edit/workflow-nodes.ts';
import { isNodeType, nodeTypes } from '../../nodes/catalogue.ts';
import type { Sample } from '../../nodes/node-type.ts';
import { isScalar } from 'yaml';
import { isJsonObject } from '../../../base/json-value.ts';
import { caretAt, type Caret } from './caret.ts';
import { schemaOf, type EditedText } from './completion.ts';
import type { LanguageContext } from './language-context.ts';
import { sampleMembers } from './members.ts';
import { samplesOf } from './samples.ts';
import { schemasAt } from './schema-at.ts';
import { innerId, nodePathById, nodesAt } from '../../workflow/node-path.ts';
import { listIn, valueAt } from '../../workflow/value-at.ts';

/** A part of the file. */
export type TextSpan = {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  /** Its line, without the blanks around it. */
  readonly text: string;
};

export type SymbolAt = {
  readonly from: number;
  readonly to: number;
  readonly kind: 'node' | 'field' | 'key' | 'value';
  /** Id of a node, `<node>/<id>` in a body; name of a field or key; a value. */
  readonly name: string;
  /** Only for a field: that of the rows, or of the outputs. */
  readonly of?: 'input' | 'output';
  readonly description: string;
  /** Beginning of a value that it had, as JSON. */
  readonly value?: string;
  /** Absent: nothing in this file defines it. */
  readonly definition?: TextSpan;
  /** All mentions of a node or field, its definition too, in the order of the file. */
  readonly mentions: readonly TextSpan[];
};

export type AtOffset = {
  /** The keys that lead there, and the ids of nodes in place of their numbers. */
  readonly breadcrumb: readonly string[];
  readonly symbol?: SymbolAt;
};

/** Maximum characters of a value. */
const maxValue = 200;

export function lookAt(file: EditedText, position: number, context: LanguageContext): AtOffset {
  // Behind the colon at the end of a line, it is still the key: its value begins in the next line.
  const offset = /:$/m.test(file.text.slice(position - 1, position + 1)) ? position - 1 : position;
  const start = contentStart(file.text, offset);
  const caret = caretAt(file.text, Math.max(start, offset));
  if (caret === undefined || offset < start) {
    // In a comment, it is the path of what the comment is about.
    const content = caret ?? caretAt(file.text, start);
    return { breadcrumb: content === undefined ? [] : breadcrumbOf(content) };
  }
  const symbol = namedSymbol(file, caret, { offset, context }) ?? keySymbol(file, caret);
  return { breadcrumb: breadcrumbOf(caret), ...(symbol === undefined ? {} : { symbol }) };
}

/** Offset of a line's content, behind its blanks and dashes. For a comment, that of the next line with content. */
function contentStart(text: string, offset: number): number {
  const start = textStart(text, offset);
  // A line of a block text may begin with the same character.
  if (text[start] !== '#' || caretAt(text, start + 1) !== undefined) return start;
  const comments = /(?:[ \t]*#.*(?:\r?\n|$)|[ \t]*\r?\n)*/y;
  comments.lastIndex = text.lastIndexOf('\n', start - 1) + 1;
  comments.test(text);
  return comments.lastIndex >= text.length ? text.length : textStart(text, comments.lastIndex);
}

/** Offset of the first character behind the blanks and dashes of the line; 0 if the line is empty. */
function textStart(text: string, offset: number): number {
  const indent = /[ \t]*(?:- +)*(?=\S)/y;
  indent.lastIndex = text.lastIndexOf('\n', offset - 1) + 1;
  return indent.test(text) ? indent.lastIndex : 0;
}

const breadcrumbOf = ({ path, data }: Caret): readonly string[] =>
  path.flatMap((step, index) => {
    if (typeof step === 'string') return [step.replace('zqfiller', '')].filter((name) => name !== '');
    const item = valueAt(data, path.slice(0, index + 1));
    const name = isJsonObject(item) ? (item['id'] ?? item['name']) : undefined;
    return [typeof name === 'string' && name !== '' ? name : String(step + 1)];
  });

/** A mention in a text, as the path of that text and a range of its value; without a range, a key. */
type Mention = { readonly path: Path; readonly range?: { readonly from: number; readonly to: number } };
type Named = {
  readonly kind: 'node' | 'field';
  readonly name: string;
  readonly of?: 'input' | 'output';
  readonly mentions: readonly Mention[];
};

function namedSymbol(
  file: EditedText,
  caret: Caret,
  { offset, context }: { readonly offset: number; readonly context: LanguageContext },
): SymbolAt | undefined {
  if (file.workflowText !== undefined) return undefined;
  const mark = file.text.startsWith('\ufeff') ? 1 : 0;
  try {
    const editable = new EditableFile(file.text.slice(mark));
    const span = spanIn(editable, mark);
    for (const named of namesIn(editable)) {
      const { mentions, ...symbol } = named;
      const here = mentions
        .filter((mention) => isIn(mention, caret))
        .flatMap((mention) => span(mention) ?? [])
        .find(({ from, to }) => offset >= from && offset <= to);
      if (here === undefined) continue;
      const spans = mentions.flatMap((mention) => span(mention) ?? []);
      const [definition] = spans;
      const { from, to } = here;
      const sorted = spans.toSorted((one, other) => one.from - other.from);
      return {
        ...symbol,
        ...{ from, to, mentions: sorted },
        ...(definition === undefined ? {} : { definition }),
        ...about(named, { caret, context }),
      };
    }
    return undefined;
  } catch (error) {
    if (error instanceof RefusedEdit) return undefined;
    throw error;
  }
}

/** True if the caret is in the text, or on the key, that has the mention. */
const isIn = ({ path, range }: Mention, caret: Caret): boolean =>
  caret.isKey === (range === undefined) &&
  path.length === caret.path.length &&
  path.every((step, index) => step === caret.path[index]);

/** All nodes and fields of the file, each with the mention that defines it first. */
function namesIn(file: EditableFile): readonly Named[] {
  const [nodes = [], ...bodies] = writtenLists(file);
  const found = referencesIn(nodes);
  return [
    ...namedNodes(nodes, found),
    ...fieldsIn(nodes, found, 'input'),
    ...fieldsIn(nodes, found, 'output'),
    ...bodies.flatMap((body) => namedNodes(body, referencesIn(body), nodes)),
  ];
}

/** @param outer the nodes of the file, for those of a body */
function namedNodes(
  nodes: readonly WrittenNode[],
  found: readonly TextReferences[],
  outer: readonly WrittenNode[] = [],
): readonly Named[] {
  const mentions = mentionsById(nodes, found);
  return nodes.map(({ id, path }): Named => {
    const owner = outer.find((each) => each.index === path[1]);
    const definition = { path: [...path, 'id'], range: { from: 0, to: id.length } };
    return {
      kind: 'node',
      name: owner === undefined ? id : innerId(owner.id, id),
      mentions: [definition, ...(mentions.get(id) ?? [])],
    };
  });
}

/** The mentions of each id in the keys `after` and in code. */
function mentionsById(
  nodes: readonly WrittenNode[],
  found: readonly TextReferences[],
): ReadonlyMap<string, readonly Mention[]> {
  const byId = new Map<string, Mention[]>();
  const add = (id: string, mention: Mention): void => {
    const mentions = byId.get(id);
    if (mentions === undefined) byId.set(id, [mention]);
    else mentions.push(mention);
  };
  for (const { id, path } of nodes.flatMap(afterEntries))
    add(id, { path, range: { from: 0, to: id.length } });
  for (const { path, references } of found)
    for (const { id, from, to } of references) add(id, { path, range: { from, to } });
  return byId;
}

/** The fields of the rows that the input node names, or of the outputs. */
function fieldsIn(
  nodes: readonly WrittenNode[],
  found: readonly TextReferences[],
  of: 'input' | 'output',
): readonly Named[] {
  const naming = nodes.filter(({ json }) => json['type'] === of);
  const owners = new Set([...(of === 'input' ? ['row'] : []), ...naming.map(({ id }) => `nodes.${id}`)]);
  const names = naming.flatMap(({ json }) =>
    isJsonObject(json['fields']) ? Object.keys(json['fields']) : [],
  );
  return [...new Set(names)].map((name): Named => {
    const keys = naming.flatMap(({ path, json }) =>
      isJsonObject(json['fields']) && Object.hasOwn(json['fields'], name)
        ? [{ path: [...path, 'fields', name] }]
        : [],
    );
    const inRows = naming.flatMap(({ path, json }) =>
      listIn(json, ['testRows']).flatMap((row, at) =>
        isJsonObject(row) && Object.hasOwn(row, name) ? [{ path: [...path, 'testRows', at, name] }] : [],
      ),
    );
    const inCode = found.flatMap(({ path, fieldReferences }) =>
      fieldReferences
        .filter((each) => owners.has(each.owner) && each.name === name)
        .map(({ from, to }) => ({ path, range: { from, to } })),
    );
    return { kind: 'field', name, of, mentions: [...keys, ...inRows, ...inCode] };
  });
}

/** Finds where mentions are written; undefined for one that cannot be taken apart. */
const spanIn =
  (file: EditableFile, mark: number) =>
  ({ path, range }: Mention): TextSpan | undefined => {
    const { entry } = file.locate(path);
    const scalar = range === undefined ? (entry.key ?? null) : entry.value;
    if (!isScalar(scalar)) return undefined;
    const units = scalarUnits(file.text, scalar);
    if (units === undefined) return undefined;
    let at = 0;
    const { from = 0, to = String(scalar.value).length } = range ?? {};
    const inside = units.filter(({ text }) => {
      at += text.length;
      return at > from && at <= to;
    });
    const [first, last] = [inside[0], inside.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const start = file.lineStart(first.from);
    return {
      from: first.from + mark,
      to: last.to + mark,
      line: file.lineOf(start),
      text: file.text.slice(start, file.lineEnd(first.from)).trim().slice(0, maxValue),
    };
  };

function about(
  { kind, name, of }: Named,
  { caret: { data }, context }: { readonly caret: Caret; readonly context: LanguageContext },
): Pick<SymbolAt, 'description' | 'value'> {
  const path = nodePathById(data, name);
  const known = { data, context, node: undefined, nodes: nodesAt(path ?? []) };
  if (of === 'output') return { description: 'Field of the output' };
  if (kind === 'field') {
    const member = sampleMembers(samplesOf(['row'], known)).find((each) => each.name === name);
    const type = member?.detail === undefined ? '' : `: ${member.detail}`;
    return { description: `Field of the row${type}`, ...valueOf(samplesOf(['row', name], known)) };
  }
  const type = path && valueAt(data, [...path, 'type']);
  const description =
    typeof type === 'string' && isNodeType(type)
      ? `${nodeTypes[type].title}. Its value: ${nodeTypes[type].value.replaceAll('`', '')}.`
      : 'Node';
  return { description, ...valueOf(samplesOf(['nodes', name.split('/').at(-1) ?? ''], known)) };
}

function valueOf(samples: readonly Sample[]): { readonly value?: string } {
  const shown = samples.find((sample) => sample !== undefined && sample !== '' && !Number.isNaN(sample));
  const json = shown === undefined ? undefined : JSON.stringify(shown);
  if (json === undefined || json === '{}' || json === '[]') return {};
  return { value: json.length <= maxValue ? json : `${json.slice(0, maxValue)}…` };
}

/** A key, or a choice of values, by what its schema says. */
function keySymbol(file: EditedText, { path, isKey, from, to, data, text }: Caret): SymbolAt | undefined {
  const name = path.at(-1);
  const isType = !isKey && name === 'type' && isNodeType(text);
  const description = isType
    ? nodeTypes[text].summary
    : schemasAt(schemaOf(file), path, data).find((each) => each.description !== undefined)?.description;
  if (description === undefined || (!isKey && !isType)) return undefined;
  const kind = isType ? 'value' : 'key';
  return { from, to, kind, name: String(isType ? text : name), description, mentions: [] };
}
