// No function for author code hands out an object that the code could change for the next row or run: neither by a return
// value, nor by a throw, nor as an argument of a function that the author passed.
import { expect, it } from 'vitest';
import { authorFunctions } from '../../../src-main/domain/expressions/author-functions.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';

const functions = [
  ...authorFunctions.flatMap(({ functions: group }) => group.map(({ form }) => form.replace(/\(.*$/s, ''))),
  'url',
  'rawPath',
  'console.log',
  'Date',
  'Date.parse',
  'Math.random',
  'JSON.parse',
  'encodeURIComponent',
];

/** Arguments that lie, throw, or keep what they are called with. Author code has no `Proxy` and no `Reflect`. */
const hostile = `
  const own = new Set();
  const kept = [];
  const thrown = new Error('of the author');
  const fail = () => { throw thrown; };
  const keep = function (...args) { kept.push(this, new.target, ...args); return args[0]; };
  const lying = Object.getOwnPropertyNames(Array.prototype).filter((name) => name !== 'constructor' && name !== 'length');
  class Listening extends Array { static get [Symbol.species]() { return keep; } }
  for (const name of lying) Object.defineProperty(Listening.prototype, name, { value(...args) {
    kept.push(this, ...args);
    for (const act of args) if (typeof act === 'function') try { kept.push(act(args[1], 'a', 0)); } catch (error) { kept.push(error); }
    return this;
  } });
  class Species extends Array { static get [Symbol.species]() { return keep; } }
  class Failing extends Array { get length() { return 1; } get 0() { return fail(); } }
  class Texts extends Date { getTime() { return 'x'; } valueOf() { return {}; } toISOString() { return {}; } toJSON(...args) { return keep(...args); } }
  class Nothing extends Date { getTime() { return NaN; } valueOf() { return fail(); } toISOString() { return fail(); } }
  const cycle = {}; cycle.self = cycle;
  const circle = []; circle.push(circle);
  let deep = {}; for (let at = 0; at < 1200; at += 1) deep = { deep };
  const values = [
    undefined, null, true, 0, -0, -1, 0.5, NaN, Infinity, 1e308, 2 ** 53, 3n, Symbol('x'), Symbol.iterator,
    '', 'a', '-', '.', '\\0', '\\ud800', '%', '%E9', 'a=%', '[', '{"__proto__":{"a":1}}', 'x'.repeat(300),
    '2026-01-31', '2026-01-31T10:00:00Z', 'days', 'years', 'yyyy', 'kkkk MM', 'kkkk-WW ooo', 'Europe/Berlin', '1e999', '-1e-999', '__proto__', 'constructor', 'hex',
    {}, Object.create(null), { a: 1 }, { days: 1 }, { days: 1e300 }, { years: NaN }, { a: Symbol('x') }, { a: 3n }, { a: () => 1 }, { a: Promise.resolve() },
    { __proto__: null, a: [Symbol('x')] }, { toString: fail }, { toString: () => ({}) }, { [Symbol.toPrimitive]: fail }, { toJSON: fail }, { toJSON: keep },
    { get a() { return fail(); } }, { valueOf: fail, length: 1 }, cycle, circle, deep,
    [], [1, 2], ['a', null], [Symbol('x')], [3n], ['https://a.example/', ''], ['https://a.example/', '', ''], [{ a: 1 }, { a: {} }, {}], [{ get a() { return fail(); } }], [[], {}], [new Texts(0), new Nothing(0)], [{ a: new Texts(0) }, { a: new Nothing(0) }, { a: new Date(NaN) }], new Array(3),
    Listening.of(1, 'a', { a: 1 }), Listening.of('https://a.example/', ''), Species.of(1, 'a', {}), new Failing(), { a: Listening.of(1) },
    new Date(0), new Date(NaN), new Date(8.64e15), new Texts(0), new Nothing(0), Object.create(Date.prototype), Object.create(new Texts(0)),
    fail, keep, () => Symbol('x'), () => ({}), () => new Texts(0), (item) => item, class {}, async () => 1, rawPath('x'), new Map(), new Set([1]), /x/g, new Error('x'), Object(Symbol('x')),
  ];
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  const partsOf = (value) => {
    const parts = [[Object.getPrototypeOf(value), '[prototype]']];
    for (const key of [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertySymbols(value)]) {
      const part = Object.getOwnPropertyDescriptor(value, key);
      for (const each of [part.value, part.get, part.set]) parts.push([each, String(key)]);
      if (part.get !== undefined) try { parts.push([value[key], String(key)]); } catch {}
    }
    return parts.filter(([part]) => isObject(part));
  };
  const mark = (value) => {
    if (!isObject(value) || own.has(value) || Object.isFrozen(value)) return;
    own.add(value);
    for (const [part] of partsOf(value)) mark(part);
  };
  [...values.filter((value) => value !== deep), thrown, kept, keep, Listening, Species, Texts, Nothing].forEach(mark);
  for (let at = deep; at !== undefined; at = at.deep) own.add(at);
`;

/** Calls every function with the arguments, and lists each object that another call hands out too, and that is not frozen. */
const walk = `
  const ofEngine = /^(Converting circular|Class constructor|Cannot convert|Maximum call stack|Do not know how|URI malformed)|JSON|is not a Date|Date[.]prototype/;
  const frozen = new WeakSet();
  const handedOut = new WeakSet();
  const found = new Set();
  let calls = 0;
  const seconds = ['days', 'kkkk MM', 1, {}, keep, fail, () => Symbol('x'), () => new Texts(0), values[14], { toJSON: keep }];
  seconds.forEach(mark);
  const visit = (root, name, inThisCall) => {
    const waiting = [[root, name]];
    while (waiting.length > 0) {
      const [value, path] = waiting.pop();
      if (!isObject(value) || own.has(value) || frozen.has(value) || inThisCall.has(value)) continue;
      inThisCall.add(value);
      if (Object.isFrozen(value)) frozen.add(value);
      else if (value instanceof Error && path.endsWith(' throws') && !ofEngine.test(value.message)) found.add(path + ' an error that is not frozen: ' + value.message);
      else if (handedOut.has(value) || path.endsWith('[prototype]')) found.add(path + ' is not frozen');
      else handedOut.add(value);
      if ('left' in value) found.add(path + ' has what another row left');
      for (const [part, key] of partsOf(value)) waiting.push([part, path + '.' + key]);
      try { value.left = 1; } catch {}
    }
  };
  const call = (name, act, args) => {
    for (let round = 0; round < 2; round += 1) {
      calls += 1;
      const inThisCall = new Set();
      let result;
      let how = '() gives';
      try { result = act(...args); } catch (error) { [result, how] = [error, '() throws']; }
      visit(result, name + how, inThisCall);
      for (const each of kept.splice(0)) visit(each, name + '() calls with', inThisCall);
    }
  };
  const walkAll = (name, act) => {
    call(name, act, []);
    for (const one of values) {
      call(name, act, [one]);
      call(name, act, ['2026-01-31', 'yyyy', one]);
      call(name, act, ['2026-01-31', '2026-01-31', one]);
      call(name, act, ['2026-01-31', 'yyyy', 'utc', one]);
      call(name, act, [['https://a.example/', ''], one]);
      call(name, act, [['https://a.example/', '', ''], one, one]);
      for (const other of seconds) call(name, act, [one, other]);
    }
  };
`;

it('hand out nothing that can be changed, whatever they are called with', async () => {
  const named = functions.map((name) => `'${name}': ${name}`).join(', ');
  const code = `${hostile}${walk}walkAll(row.name, { ${named} }[row.name]);\nreturn { found: [...found], calls };`;
  const workflow = `nodes: ${JSON.stringify([
    { id: 'input', type: 'input' },
    { id: 'all', type: 'code', code },
    { id: 'out', type: 'output', fields: { all: '=nodes.all' } },
  ])}`;
  const pool = testPool({ maxWorkers: 1, timeLimitMs: 60_000 });
  // Twice, so that each function is walked after the others, too.
  const rows = [...functions, ...functions].map((name) => ({ name }));
  const { outputs, failures } = await runRows(workflow, { pool, rows });
  expect(failures).toEqual([]);
  const walked = outputs.map((each) => (each as { all: { found: string[]; calls: number } }).all);
  expect(walked.flatMap(({ found }) => found)).toEqual([]);
  expect(Math.min(...walked.map(({ calls }) => calls))).toBeGreaterThan(2_000);
}, 120_000);

/** The value of each expression, or its error as text; `mine` for the error that the author's own code throws. */
async function evaluated(...expressions: readonly string[]): Promise<readonly unknown[]> {
  const each = expressions.map(
    (text) =>
      `(() => { try { return ${text} } catch (error) { return error === mine ? 'mine' : error.name + ': ' + error.message } })()`,
  );
  const code = `const mine = new Error('of the author');
    const fail = () => { throw mine; };
    class Lying extends Date { getTime() { return 'x'; } toISOString() { return fail(); } valueOf() { return fail(); } }
    const listening = (list) => {
      for (const key of ['reduce', 'map', 'filter', 'slice', Symbol.iterator]) Object.defineProperty(list, key, { value: fail });
      return list;
    };
    return [${each.join(',')}];`;
  const workflow = `nodes: ${JSON.stringify([
    { id: 'input', type: 'input' },
    { id: 'all', type: 'code', code },
    { id: 'out', type: 'output', fields: { all: '=nodes.all' } },
  ])}`;
  const { outputs, failures } = await runRows(workflow, { pool: testPool(), rows: [{}] });
  expect(failures).toEqual([]);
  return (outputs[0] as { all: unknown[] }).all;
}

it('pass errors of the author as they are', async () => {
  const failing = [
    'date.add("2026-01-01", { get days() { return fail(); } })',
    'query.encode({ get a() { return fail(); } })',
    'query.encode({ a: { toJSON: fail } })',
    'groupBy([1], fail)',
    'sortBy([1], fail)',
    'unique([1], fail)',
    'unique([{ toJSON: fail }])',
    'chunk(Object.defineProperty([], 0, { get: fail }), 1)',
    'url(["https://a.example/", ""], { toJSON: fail })',
    'rawPath({ toJSON: fail })',
  ];
  expect(await evaluated(...failing)).toEqual(failing.map(() => 'mine'));
});

// Regression: `getTime` of a subclass gave the date library a text, whose error and class the code could change.
it('read dates as the engine does, and give errors of the language for those of the libraries', async () => {
  const cases = {
    'date.format(new Lying(0), "yyyy")': '1970',
    'sortBy([new Lying(1), new Lying(0)], (each) => each).map(Number.isInteger).length': 2,
    'Object.keys(groupBy([new Lying(0)], (each) => each))': ['1970-01-01T00:00:00.000Z'],
    'date.format(Object.create(Date.prototype), "yyyy")':
      'TypeError: date.format takes a date as text, Date or milliseconds, and got an object',
    'groupBy([new Date(NaN)], (each) => each)': 'RangeError: groupBy: the key of an item is an invalid Date',
    'date.parse("2026 12", "kkkk MM")':
      "RangeError: date.parse: Can't mix weekYear/weekNumber units with year/month/day or ordinals",
    'query.encode({ a: Symbol("x") })': 'TypeError: query.encode: a symbol cannot be written into a text',
  };
  expect(await evaluated(...Object.keys(cases))).toEqual(Object.values(cases));
});

// Regression: a list with methods of its own got the numbers of the decimal library, whose prototype stayed changed.
it('give a list with methods of its own nothing of a library', async () => {
  const listening = 'listening([1, 2])';
  const cases = {
    [`decimal.sum(${listening})`]: '3',
    [`unique(${listening})`]: [1, 2],
    [`chunk(${listening}, 1)`]: [[1], [2]],
    [`sortBy(${listening}, (each) => -each)`]: [2, 1],
    [`query.encode({ a: ${listening} })`]: 'a=1&a=2',
    [`groupBy(${listening}, (each) => each)`]: { 1: [1], 2: [2] },
  };
  expect(await evaluated(...Object.keys(cases))).toEqual(Object.values(cases));
});
