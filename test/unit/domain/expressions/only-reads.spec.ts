import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseBody } from '../../../../src-main/domain/expressions/parse-body.ts';
import { parseExpression } from '../../../../src-main/domain/expressions/parse-expression.ts';
import { itemNames } from '../../../../src-main/domain/expressions/scope.ts';

const scope = { names: itemNames };

/** Undefined for a text that is no expression. */
function onlyReads(text: string): boolean | undefined {
  const parsed = parseExpression(text, scope);
  return parsed.ok ? parsed.value.onlyReads : undefined;
}

describe('only reads', () => {
  it.each([
    'row',
    'row.name',
    'row?.tags?.[0]?.label ?? "none"',
    "row.email.split('@')[1]",
    'Math.round(row.score * 2) + Math.PI',
    'row.tags.map((tag) => tag.toUpperCase()).filter(Boolean).join(", ")',
    "row.score > 50 ? 'hot' : 'cold'",
    '`${row.first} ${row.last}`.trim()',
    '{ ...row, total: row.lines.reduce((sum, { price = 0, count }) => sum + price * count, 0) }',
    '[...new Set(row.tags)].toSorted()',
    'Object.fromEntries(Object.entries(nodes.answer.body).map(([key, value]) => [key, String(value)]))',
    'new Date(row.at).toISOString().slice(0, 10)',
    'JSON.stringify(row)',
    "/^[a-z]+$/i.test(row.code) && !row.code.startsWith('x')",
    '[row.link, row.description, row.size, row.min, row.date, row.length, row.name, row["first name"]]',
    '((a, [b, , ...c] = [], { d, e: { f } } = {}) => a)(row)'.replace(/^\((.*)\)\(row\)$/, '[row].map($1)'),
    'typeof row.a === "string" ? parseInt(row.a, 10) : Number.MAX_SAFE_INTEGER',
    'item.children.at(-1), index',
    '[row.codes.map(Number), row.codes.map(String), row.n === undefined ? NaN : Infinity]',
    'new Map(row.pairs).get(row.n)',
    'url`https://x.example/${row.id}/${rawPath(row.path)}`',
    'row.urls.map((url) => url.trim()).concat([row.url].map((url) => url))',
  ])('%s', (text) => expect(onlyReads(text)).toBe(true));
});

describe('may change what it is given', () => {
  it.each([
    '[row.n = 1]',
    'row.n += 1',
    'row.n++',
    'delete row.n',
    'row.tags.push(1)',
    'row.tags.sort()',
    'row.tags?.reverse()',
    "row.tags['push'](1)",
    'row.tags[row.method](1)',
    'row.tags.every(row.tags.push, row.tags)',
    "row.tags.every(row.tags['push'], row.tags)",
    'row.tags.every(row.tags[`push`], row.tags)',
    '[row.tags].map(({ push }) => push)',
    "[row.tags].map(({ 'push': f }) => f)",
    '[row.tags].map(({ [row.name]: f }) => f)',
    '[1].map(([a = row.n = 2]) => a)',
    '[1].map((a = row.n++) => a)',
    'Object.assign(row, { n: 1 })',
    'Object.freeze(row)',
    'Object.setPrototypeOf(row, null)',
    "Object.defineProperty(row, 'n', { value: 1 })",
    'Object.values(Object)[0](row)',
    '[row].map(Object.freeze)',
    'Array.prototype.push.call(row.tags, 1)',
    'row.tags.concat.constructor',
    'row.__proto__',
    "row['__proto__'].left",
    '{ __proto__: row }',
    '{ set n(value) {} }',
    '{ toString() { return row.n; } }',
    '{ [row.name]: 1 }',
    '[row.tags].map((tags) => { tags.push(1); })',
    '[row.tags].map(function (tags) { return tags; })',
    'async () => row',
    'new (class { constructor() { row.n = 1; } })()',
    'new Promise((resolve) => resolve(row))',
    'String.raw`${row.n}`',
    'url`https://x.example/${row.n++}`',
    '(() => row)()',
    'new Map(row.pairs).set(1, row)',
    '[...row.tags].sort()',
    'nodes.list.splice(0, 1)',
    'console.log(row)',
    'Array.prototype',
    'row.caller.arguments',
    'row.apply',
    '[row.tags.values()].map(({ next }) => next)',
    '[console.info].map((f) => f(row))',
    'Object.valueOf()',
    '[Promise.valueOf()].map((Map) => new Map((yes) => yes(row)))',
    '{ ...Object }',
  ])('%s', (text) => expect(onlyReads(text)).toBe(false));

  it('is what a method is taken for that stands behind a getter, as some do in a hardened realm', async () => {
    const method = Object.getOwnPropertyDescriptor(Array.prototype, 'copyWithin') ?? {};
    vi.resetModules();
    Object.defineProperty(Array.prototype, 'copyWithin', {
      get: () => method.value as unknown,
      configurable: true,
    });
    onTestFinished(() => void Object.defineProperty(Array.prototype, 'copyWithin', method));
    const { parseExpression: parseAnew } =
      await import('../../../../src-main/domain/expressions/parse-expression.ts');
    const text = 'row.tags.every(row.tags.copyWithin, row.tags)';
    expect(parseAnew(text, scope)).toMatchObject({ ok: true, value: { onlyReads: false } });
  });

  it('is what every body is taken for', () => {
    expect(parseBody('return row.n;', scope)).toMatchObject({ ok: true, value: { onlyReads: false } });
  });
});

const row = { tags: ['b', 'a'], list: [{ n: 1 }], inner: { n: 2, at: '2026-01-01' }, name: 'push', n: 3 };

/** Those of the codes after which the row is another one; each in a realm of its own, and with a row of its own. */
function changing(sources: readonly string[]): string[] {
  const codes = sources.map((source) => `(row, a, b) => (${source})`);
  const found = runInContext(
    `(() => {
      'use strict';
      const { getOwnPropertyDescriptors, getPrototypeOf, isExtensible, entries } = Object;
      const { parse, stringify } = JSON;
      const isObject = (value) => typeof value === 'object' && value !== null;
      const plain = { array: Array.prototype, object: Object.prototype };
      const shape = (value, depth) => !isObject(value) || depth > 5 ? typeof value : [
        isExtensible(value),
        getPrototypeOf(value) === (Array.isArray(value) ? plain.array : plain.object),
        ...entries(getOwnPropertyDescriptors(value)).map(([key, { value, ...rest }]) =>
          [key, isObject(value) ? shape(value, depth + 1) : String(value), rest]),
      ];
      return [${codes.join(',\n')}].map((code) => {
        const row = parse(${JSON.stringify(JSON.stringify(row))});
        const before = stringify(shape(row, 0));
        try { code(row, row.tags, row.inner); } catch {}
        return stringify(shape(row, 0)) !== before;
      });
    })()`,
    createContext({}),
    { timeout: 60_000 },
  ) as boolean[];
  return sources.filter((_, place) => found[place]);
}

const globals = 'Object Array Math JSON Number String Date Map Set RegExp Symbol'.split(' ');
const ofGlobals = globals.map(
  (name) => (globalThis as Record<string, unknown>)[name] as { prototype?: object },
);
const builtins = [...ofGlobals, ...ofGlobals.map(({ prototype = {} }) => prototype)];
const builtinNames = [...new Set(builtins.flatMap((owner) => Object.getOwnPropertyNames(owner)))].filter(
  (name) => /^\w+$/.test(name),
);

it(
  'no method that is taken for a reader changes anything, whatever it is called on and given',
  { timeout: 120_000 },
  () => {
    const things = ['row', 'row.tags', 'row.list', 'row.inner', 'row.name', 'row.n', '/a/g', 'new Date(0)'];
    const holders = ['new Map([[row, row.tags]])', 'new Set([row, row.tags])', ...globals];
    const arrows = ['(a, b) => a', '(a, b) => b', '([a] = []) => a'];
    const given = [
      '',
      'row',
      'row.tags',
      '0',
      '0, 1',
      'row.tags, 0, 1',
      'row, row.inner',
      'row.tags, row.list',
    ];
    given.push(
      ...arrows,
      ...arrows.map((arrow) => `row.tags, ${arrow}`),
      ...arrows.map((arrow) => `${arrow}, row`),
    );
    const calls = builtinNames.flatMap((name) =>
      [...things, ...holders].flatMap((thing) => given.map((values) => `(${thing}).${name}(${values})`)),
    );
    const reading = calls.filter((call) => onlyReads(call));
    expect(reading.length).toBeGreaterThan(20_000);
    expect(changing(reading)).toEqual([]);
    // Or it would have shown nothing.
    for (const name of ['push', 'sort', 'splice', 'fill', 'assign', 'freeze'])
      expect(changing(calls.filter((call) => call.includes(`.${name}(`))), name).not.toEqual([]);
  },
);

it('no code put together at random changes anything that is said only to read', { timeout: 60_000 }, () => {
  const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
  const name = fc.oneof(
    oneOf('tags list inner n name length __proto__ prototype constructor'),
    oneOf('push sort reverse splice assign freeze fill call apply bind'),
    oneOf('map every reduce filter forEach from concat entries values'),
    fc.constantFrom(...builtinNames),
  );
  const global = oneOf('Object Array Math JSON String Date Map Set');
  const { expression } = fc.letrec<{ expression: string; arrow: string; given: string }>((tie) => {
    const inner = tie('expression');
    return {
      given: fc.array(fc.oneof({ maxDepth: 4 }, inner, tie('arrow'), global), { maxLength: 2 }).map(String),
      arrow: fc.oneof(
        inner.map((body) => `(a, b) => (${body})`),
        fc.tuple(name, inner).map(([key, body]) => `({ ${key}: a, ...b }) => (${body})`),
        fc.tuple(inner, inner).map(([value, body]) => `([a = (${value})], b) => (${body})`),
      ),
      expression: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'code' },
        oneOf("row row.tags row.list[0] row.inner a b 1 'n' [row,row.tags]"),
        fc.tuple(inner, name).map(([of, key]) => `(${of}).${key}`),
        fc.tuple(inner, name).map(([of, key]) => `(${of})['${key}']`),
        fc.tuple(inner, inner).map(([of, key]) => `(${of})[${key}]`),
        fc.tuple(inner, name, tie('given')).map(([of, key, given]) => `(${of}).${key}(${given})`),
        fc.tuple(global, name, tie('given')).map(([of, key, given]) => `${of}.${key}(${given})`),
        fc.tuple(global, tie('given')).map(([of, given]) => `new ${of}(${given})`),
        fc.tuple(inner, tie('given')).map(([of, given]) => `(${of})(${given})`),
        fc.tuple(name, inner).map(([key, value]) => `({ ${key}: (${value}), ...(${value}) })`),
        fc.tuple(inner, name, inner).map(([of, key, value]) => `((${of}).${key} = (${value}))`),
        inner.map((of) => `delete (${of}).n`),
        inner.map((of) => `[...(${of})]`),
      ),
    };
  });
  const seen = { reading: 0, changing: 0 };
  fc.assert(
    fc.property(expression, (source) => {
      const reads = onlyReads(`[[row.tags, row.inner]].map(([a, b]) => (${source}))`);
      if (reads === undefined) return;
      const changes = changing([source]).length > 0;
      if (reads) seen.reading += 1;
      if (changes) seen.changing += 1;
      expect(reads && changes, source).toBe(false);
    }),
    { numRuns: 2000 },
  );
  expect(seen.reading).toBeGreaterThan(100);
  expect(seen.changing).toBeGreaterThan(50);
});
