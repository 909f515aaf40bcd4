// One line that says what a node does, of what its author wrote: it must do for nodes that have errors too.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { isJsonObject } from '../nodes/slots.ts';

/** A card has room for no more. */
const longest = 120;

/** Empty where nothing can be said. */
export function nodeSummary(node: JsonObject): string {
  const type = node['type'];
  const make = typeof type === 'string' && Object.hasOwn(summaries, type) ? summaries[type] : undefined;
  const text = (make?.(node) ?? '').replaceAll(/\s+/g, ' ').trim();
  return text.length <= longest ? text : `${[...text.slice(0, longest)].slice(0, -1).join('')}…`;
}

const summaries: Readonly<Record<string, (node: JsonObject) => string>> = {
  input: ({ fields }) => names(fields) || 'any row',
  output: ({ fields }) => names(fields),
  set: ({ values }) => names(values),
  switch: ({ cases }) => counted(cases, 'case'),
  http: ({ request }) =>
    isJsonObject(request) ? `${text(request['method']) || 'GET'} ${text(request['url'])}` : '',
  llm: ({ model }) => text(model),
  delay: (node) => text(node['for']),
  code: ({ code }) =>
    text(code)
      .split('\n')
      .find((line) => line.trim() !== '' && !line.trim().startsWith('//')) ?? '',
  lookup: ({ table, key }) => [text(table), text(key)].filter((part) => part !== '').join(' by '),
  workflow: ({ workflow }) => text(workflow),
  assert: ({ that }) => text(that),
  fail: ({ message }) => text(message),
};

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const names = (value: JsonValue | undefined): string =>
  isJsonObject(value) ? Object.keys(value).join(', ') : '';

const counted = (list: JsonValue | undefined, word: string): string =>
  Array.isArray(list) ? `${list.length} ${list.length === 1 ? word : `${word}s`}` : '';
