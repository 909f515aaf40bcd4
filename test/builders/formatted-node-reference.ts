// The reference of all node types for people, docs/guide/nodes.md: made of the schemas that check a file, so that it
// cannot say anything else. `npm run generate` writes it, a spec fails when it is stale.
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { durationPattern } from '../../src-main/domain/duration.ts';
import { nodeTypeNames, nodeTypes, type NodeType } from '../../src-main/domain/nodes/catalogue.ts';
import { nodeId, nodeKeys } from '../../src-main/domain/nodes/node-keys.ts';
import { slotsFor } from '../../src-main/domain/nodes/slots.ts';
import { itemNames } from '../../src-main/domain/expressions/scope.ts';

/** The node reference as the project's formatter lays it out. */
export async function formattedNodeReference(): Promise<string> {
  const config = await resolveConfig('docs/guide/nodes.md');
  return format(nodeReference(), { ...config, parser: 'markdown' });
}

/** The part of JSON Schema that is used here. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

const slots = slotsFor({ names: itemNames });

/** Markdown. */
function nodeReference(): string {
  return [
    '# Node types',
    'Generated from the schemas that check workflow files: `npm run generate`.',
    overview(),
    'Where a type says _any value_ or _text_, [expressions and templates](expressions.md) are allowed. Keys in bold are required.',
    ...nodeTypeNames.map(sectionOf),
    '## Keys of every node',
    'The `input` node has none of these but its id, and `output` has no `each`.',
    tableOf(schemaOf(z.strictObject({ id: nodeId, ...nodeKeys(slots, slots) }))),
    '',
  ].join('\n\n');
}

/** One line per type: what it does. */
function overview(): string {
  const rows = nodeTypeNames.map(
    (type) => `| [\`${type}\`](#${type}) | ${inCell(nodeTypes[type].summary)} |`,
  );
  return ['| type | what it does |', '| --- | --- |', ...rows].join('\n');
}

function sectionOf(type: NodeType): string {
  const definition = nodeTypes[type];
  const { title, summary, value, example, config } = definition;
  return [
    `## ${type}`,
    `**${title}.** ${summary}`,
    `Its value, \`nodes.<id>\`: ${value}.`,
    `\`\`\`yaml\n${example}\n\`\`\``,
    tableOf(schemaOf(config(slots))),
    ...('notes' in definition ? [definition.notes] : []),
  ].join('\n\n');
}

const schemaOf = (schema: z.ZodObject): Schema =>
  z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', reused: 'inline' }) as Schema;

function tableOf(schema: Schema): string {
  const rows = rowsOf(schema, '').map(
    ({ key, type, description }) => `| ${key} | ${type} | ${description} |`,
  );
  return ['| key | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

type Row = { readonly key: string; readonly type: string; readonly description: string };

/** A row for each key, those of its own keys below it: `request`, `request.url`, `cases[].when`. */
const rowsOf = ({ properties = {}, required = [] }: Schema, around: string): Row[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${around}${name}`;
    const key = required.includes(name) ? `**\`${path}\`**` : `\`${path}\``;
    const { title, description = '' } = schema;
    const meaning = title === undefined ? description : `**${title}.** ${description}`;
    const own = { key, type: inCell(typeOf(schema)), description: inCell(meaning) };
    return [own, ...innerRows(schema, path)];
  });

function innerRows(schema: Schema, path: string): Row[] {
  const { properties, items, additionalProperties, anyOf = [] } = schema;
  if (properties !== undefined) return rowsOf(schema, `${path}.`);
  if (items !== undefined) return innerRows(items, `${path}[]`);
  if (typeof additionalProperties === 'object') return innerRows(additionalProperties, `${path}.<name>`);
  return anyOf.flatMap((choice) => innerRows(choice, path));
}

const scalars: { readonly [type: string]: string } = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
};

/** A type in a few words. */
function typeOf(schema: Schema): string {
  const { anyOf, pattern } = schema;
  if (schema.$ref !== undefined) return 'node';
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (pattern === durationPattern.source) return 'duration';
  if (pattern === '^=') return '=expression';
  return anyOf === undefined ? plainType(schema) : [...new Set(anyOf.map(typeOf))].join(', or ');
}

function plainType({ type, items, properties }: Schema): string {
  if (type === undefined) return 'any value';
  if (typeof type !== 'string') return 'expression';
  if (type === 'array') return items === undefined ? 'list' : `list: ${typeOf(items)}`;
  if (type === 'object') return properties === undefined ? 'names with values' : 'object';
  return scalars[type] ?? type;
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
