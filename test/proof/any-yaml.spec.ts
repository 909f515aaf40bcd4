// Random edits of many files. Each is refused, or its data is the old data with the edit (which the editor checks by
// itself) and all bytes outside of the ranges are the old ones; and its inverse gives the first text again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCollection, isMap, parseDocument } from 'yaml';
import type { JsonValue } from '../../src-main/base/json-value.ts';
import { editText } from '../../src-main/domain/authoring/edit/edit-text.ts';
import type { FileEdit } from '../../src-main/domain/authoring/edit/file-edit.ts';
import { applyChanges, inverseOf } from '../../src-main/domain/authoring/edit/text-changes.ts';
import { yamlTexts } from './yaml-texts.ts';

const examples = readdirSync('examples')
  .filter((name) => /\.(yaml|json)$/.test(name))
  .map((name): readonly [string, string] => [name, readFileSync(join('examples', name), 'utf8')]);

type Path = (string | number)[];

/** Paths of all lists and objects, and of all items and keys. */
function pathsOf(text: string): { readonly collections: readonly Path[]; readonly entries: readonly Path[] } {
  const collections: Path[] = [];
  const entries: Path[] = [];
  const visit = (node: unknown, path: Path): void => {
    if (!isCollection(node)) return;
    collections.push(path);
    node.items.forEach((item, index) => {
      const pair = isMap(node) ? (item as { key: { value: unknown }; value: unknown }) : undefined;
      const inner = [...path, pair ? String(pair.key.value) : index];
      entries.push(inner);
      visit(pair ? pair.value : item, inner);
    });
  };
  visit(parseDocument(text, { stringKeys: true, uniqueKeys: false }).contents, []);
  return { collections, entries };
}

const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'a # b',
    'x\ny\n',
    '  lead',
    'trail ',
    '- a',
    'null',
    '0x1',
    "it's",
    '=nodes.a + "x"',
    'ü 😀',
    'a: b',
  ),
);
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: texts },
  fc.integer(),
  fc.constantFrom(null, true, [], {}),
  fc.array(texts, { maxLength: 3 }),
  fc.dictionary(texts, fc.oneof(texts, fc.array(texts, { maxLength: 2 })), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
);

function editsOf(text: string): fc.Arbitrary<FileEdit> {
  const { collections, entries } = pathsOf(text);
  const entry = fc.constantFrom(...entries);
  const collection = fc.constantFrom(...collections);
  const index = fc.nat(4);
  return fc.oneof(
    fc.record({ kind: fc.constant('setValue' as const), path: entry, value: values }),
    fc.record({ kind: fc.constant('insertItem' as const), path: collection, index, value: values }),
    fc.record({ kind: fc.constant('insertKey' as const), path: collection, key: texts, value: values }),
    fc.record({ kind: fc.constant('removeItem' as const), path: entry }),
    fc.record({ kind: fc.constant('moveItem' as const), path: entry, to: index }),
    fc.record({ kind: fc.constant('copyItem' as const), path: entry, to: index }),
    fc.record({ kind: fc.constant('renameKey' as const), path: entry, key: texts }),
    fc.record({ kind: fc.constant('setComment' as const), path: entry, text: fc.constant('note') }),
  );
}

const comments = (text: string): number => text.split('\n').filter((line) => /^\s*#/.test(line)).length;

describe.each([...yamlTexts, ...examples])('random edits of %s', (_, source) => {
  it.each(['\n', '\r\n'])('keep every other byte with line ends %j', (lineBreak) => {
    const text = source.replaceAll('\n', lineBreak);
    let made = 0;
    fc.assert(
      fc.property(editsOf(text), (edit) => {
        const { changes, refusal } = editText(text, edit);
        if (changes === undefined) {
          expect(refusal.line).toBeGreaterThan(0);
          return;
        }
        made += 1;
        const after = applyChanges(text, changes);
        expect(applyChanges(after, inverseOf(text, changes))).toBe(text);
        if (lineBreak === '\r\n') expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        if (edit.kind === 'renameKey') expect(comments(after)).toBe(comments(text));
      }),
      { numRuns: 40 },
    );
    expect(made).toBeGreaterThan(10);
  });
});
