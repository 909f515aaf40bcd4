// Objects that a workflow builds: the keys come from its author, the values from its rows.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

/** Names that an engine, a prototype or a language has uses of its own for, and names that are none. */
const odd = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'toJSON',
  'then',
  'class',
  'function',
  'void',
  'undefined',
  'this',
  'eval',
  'arguments',
  'made',
  'scope',
  'give0',
  'value0',
  '10',
  '2',
  'a-b',
  'a b',
  'a.b',
  '',
  'é',
  '$',
  '"',
  "'",
  '\\',
  '</script>',
  '<!--',
  'import(x)',
  '\u2028',
  '${x}',
];

/** The object with the entries as its own properties, whatever their keys. Undefined values leave their keys out. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const made = {};
  for (const [key, value] of entries)
    if (value !== undefined)
      Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

it('objects have the keys that were written, in their order, but for those without a value', async () => {
  const keys = fc.uniqueArray(fc.oneof(fc.constantFrom(...odd), fc.stringMatching(/^[a-z_]{1,5}$/)), {
    minLength: 1,
    maxLength: 40,
  });
  const lists = [[...odd], odd.slice(0, 3), ...fc.sample(keys, { numRuns: 40, seed: 1 })];
  const sets = lists.map((list, at) => {
    // JSON is YAML; `__proto__` is a key like any other there.
    const text = list.map((key, index) => `${JSON.stringify(key)}: "=row.values[${index}]"`);
    return `  - { id: s${at}, type: set, values: { ${text.join(', ')} } }`;
  });
  const fields = lists.map((_, at) => `f${at}: "=nodes.s${at}"`).join(', ');
  const plan = planOf(
    `nodes:\n  - { id: input, type: input }\n${sets.join('\n')}\n  - { id: out, type: output, fields: { ${fields} } }`,
  );
  const rows = [0, 1, 2].map((row) => ({
    values: Array.from({ length: 40 }, (_, index) =>
      (index + row) % 3 === 0 ? undefined : index * 10 + row,
    ),
  }));
  // Gaps, since JSON has no `undefined` for a row to bring.
  const sparse = rows.map(({ values }) => ({
    values: Object.fromEntries(values.map((value, at) => [at, value])),
  }));
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows: sparse });
  expect(await execution.run()).toEqual({ kind: 'completed' });
  // As text: an equality that overlooks `__proto__` would prove nothing.
  expect(sink.lines).toEqual(
    rows.map(({ values }) =>
      JSON.stringify(
        Object.fromEntries(
          lists.map((list, at) => [`f${at}`, objectOf(list.map((key, index) => [key, values[index]]))]),
        ),
      ),
    ),
  );
});
