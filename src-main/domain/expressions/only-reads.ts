// Whether code changes nothing that it is given, judged by its text alone: then values need not be frozen before it sees
// them. What is not known only to read counts as code that may change things, so that a method which `readers` lacks costs
// time and nothing else. The names of all other functions are taken from the engine that judges: it is the worker's too.
// INVARIANT: code that only reads comes by no functions but its own arrows, `readers`, and the globals that it calls or that
// are `plainGlobals`. None of these changes what it is called on or given, and nothing is assigned; so nothing changes.
import type { AnyNode, CallExpression, Expression, Pattern, Super } from 'acorn';
import { compartmentGlobals, isCompartmentGlobal } from './scope.ts';
import { childrenOf } from './tree.ts';

/** @param tree of an expression; a body's statements may change things, whatever they are */
export const onlyReads = (tree: AnyNode): boolean => reads(tree);

function reads(tree: AnyNode): boolean {
  const test = tests[tree.type] as ((node: AnyNode) => boolean) | undefined;
  return test !== undefined && test(tree);
}

type Tests = { [T in AnyNode['type']]?: (node: Extract<AnyNode, { type: T }>) => boolean };

const always = (): boolean => true;
const childrenRead = (node: AnyNode): boolean => childrenOf(node).every(reads);

const tests: Tests = {
  Literal: always,
  TemplateElement: always,
  Identifier: ({ name }) => !isCompartmentGlobal(name) || plainGlobals.has(name),
  ArrayExpression: childrenRead,
  BinaryExpression: childrenRead,
  ChainExpression: childrenRead,
  ConditionalExpression: childrenRead,
  LogicalExpression: childrenRead,
  ObjectExpression: childrenRead,
  SequenceExpression: childrenRead,
  SpreadElement: childrenRead,
  TemplateLiteral: childrenRead,
  UnaryExpression: ({ operator, argument }) => operator !== 'delete' && reads(argument),
  Property: (node) => node.kind === 'init' && !node.method && isDataKey(node) && reads(node.value),
  ArrowFunctionExpression: (node) =>
    node.expression && !node.async && node.params.every(binds) && reads(node.body),
  TaggedTemplateExpression: ({ tag, quasi }) =>
    tag.type === 'Identifier' && tag.name === 'url' && childrenRead(quasi),
  MemberExpression: ({ object, property: key, computed }) => isDataKey({ key, computed }) && readsOn(object),
  CallExpression: (node) => callsAllowed(node) && node.arguments.every(reads),
  NewExpression: ({ callee, arguments: given }) =>
    callee.type === 'Identifier' && constructors.has(callee.name) && given.every(reads),
};

/** A parameter: names, what they take out of what is given, and what they are without it. */
function binds(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'Identifier':
      return true;
    case 'ArrayPattern':
      return pattern.elements.every((element) => element === null || binds(element));
    case 'ObjectPattern':
      return pattern.properties.every((property) =>
        property.type === 'RestElement' ? binds(property) : isDataKey(property) && binds(property.value),
      );
    case 'RestElement':
      return binds(pattern.argument);
    case 'AssignmentPattern':
      return binds(pattern.left) && reads(pattern.right);
    case 'MemberExpression':
      return false;
  }
}

/** What a member is read of, or a method called on: there a global object may stand, which is no value elsewhere. */
const readsOn = (object: Expression | Super): boolean =>
  object.type === 'Identifier' ? object.name !== 'console' : reads(object);

/** A parameter, which can hold no function but those of the invariant; a global function; or a reader. */
function callsAllowed({ callee }: CallExpression): boolean {
  if (callee.type === 'Identifier') return true;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    return false;
  return readers.has(callee.property.name) && readsOn(callee.object);
}

/** One that is known, and under which nothing but data or a reader is found. */
function isDataKey({ key, computed }: { readonly key: AnyNode; readonly computed: boolean }): boolean {
  if (key.type === 'Identifier') return !computed && isData(key.name);
  if (key.type !== 'Literal') return false;
  return typeof key.value === 'number' || (typeof key.value === 'string' && isData(key.value));
}

const isData = (name: string): boolean => !otherNames.has(name);

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** Methods that change neither what they are called on nor what they are given, whichever builtin has them. */
const readers: ReadonlySet<string> = new Set(
  wordsOf(`
    at concat entries every filter find findIndex findLast findLastIndex flat flatMap forEach from fromEntries get has
    hasOwn includes indexOf is isArray join keys lastIndexOf map of reduce reduceRight slice some toReversed toSorted
    toSpliced values with
    charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll
    search split startsWith substr substring test toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase trim trimEnd
    trimStart big link small sub sup
    isFinite isInteger isNaN isSafeInteger parse parseFloat parseInt stringify toExponential toFixed toLocaleString
    toPrecision toString
    abs cbrt ceil exp floor hypot log log10 log2 max min pow random round sign sqrt trunc
    getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset getUTCDate
    getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds now toISOString
    toLocaleDateString toLocaleTimeString UTC`),
);

const plainGlobals: ReadonlySet<string> = new Set([
  'undefined',
  'NaN',
  'Infinity',
  'Number',
  'String',
  'Boolean',
  'url',
  'rawPath',
]);
const constructors: ReadonlySet<string> = new Set(['Date', 'Map', 'Set']);

/** Getters that give text, a number or a truth value. What others give is not known: a hardened realm has some for methods. */
const plainGetters: ReadonlySet<string> = new Set(
  wordsOf(
    'description dotAll flags global hasIndices ignoreCase multiline size source sticky unicode unicodeSets',
  ),
);

/** Names under which a builtin has a function that is no reader, or that lead to where such are. */
const otherNames: ReadonlySet<string> = new Set([
  ...wordsOf('__proto__ prototype constructor caller arguments'),
  ...reachable()
    .flatMap(functionNames)
    .filter((name) => !readers.has(name)),
]);

/** The globals, what they make, and what these go back to. */
function reachable(): object[] {
  const found = new Set<object>();
  const add = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || found.has(value))
      return;
    found.add(value);
    add(Object.getPrototypeOf(value));
    add((value as { readonly prototype?: unknown }).prototype);
  };
  for (const name of compartmentGlobals)
    // Its members are never read.
    if (name !== 'console') add((globalThis as Record<string, unknown>)[name]);
  for (const iterator of [[].values(), new Map().values(), new Set().values(), ''.matchAll(/./g)])
    add(iterator);
  return [...found];
}

function functionNames(owner: object): string[] {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(owner));
  return properties
    .filter(([name, own]) =>
      own.get === undefined ? typeof own.value === 'function' : !plainGetters.has(name),
    )
    .map(([name]) => name);
}
