// The grammar of a trigger's body as a table: state x byte -> next state, or an action where a decision needs more
// than the byte (depth, which container, whose name). RFC 8259, nothing lenient. The row splitter walks it, and json-objects.ts
// the part of it that is within any object.

/** Where in the text one can be. `name` is a member's name in the body's own object, `key` one further in. */
const stateNames = [
  // before the body's own object; a byte order mark may come first, as RFC 8259 lets a reader allow
  'beginning',
  'markByte2',
  'markByte3',
  'start',
  // the body's own object
  'firstName',
  'nextName',
  'name',
  'nameEscape',
  'nameHex4',
  'nameHex3',
  'nameHex2',
  'nameHex1',
  'nameColon',
  'rowsColon',
  'rowsArray',
  'firstRow',
  'nextRow',
  'afterRow',
  'end',
  // any object or array within
  'firstKey',
  'nextKey',
  'key',
  'keyEscape',
  'keyHex4',
  'keyHex3',
  'keyHex2',
  'keyHex1',
  'colon',
  'value',
  'firstItem',
  'text',
  'textEscape',
  'textHex4',
  'textHex3',
  'textHex2',
  'textHex1',
  'after',
  // literals, by the letters that are still to come
  'rue',
  'ue',
  'e',
  'alse',
  'lse',
  'se',
  'ull',
  'll',
  'l',
  // numbers; in the first four the number may end
  'zero',
  'integer',
  'fraction',
  'exponent',
  'minus',
  'point',
  'exponentMark',
  'exponentSign',
] as const;
export type StateName = (typeof stateNames)[number];

const actionNames = [
  'error',
  'openBody',
  'openName',
  'closeName',
  'openRows',
  'closeRows',
  'openRow',
  'openObject',
  'openArray',
  'closeObject',
  'closeArray',
  'comma',
  'startNumber',
  'endNumber',
] as const;
type ActionName = (typeof actionNames)[number];

const numbered = <Name extends string>(names: readonly Name[], from: number): Record<Name, number> =>
  Object.fromEntries(names.map((name, index) => [name, from + index])) as Record<Name, number>;

export const states = numbered(stateNames, 0);
/** Entries from here on are actions. */
export const firstAction = stateNames.length;
export const actions = numbered(actionNames, firstAction);

export const nameOfState = (state: number): StateName => stateNames[state] ?? 'beginning';

function buildTable(): Uint8Array {
  const table = new Uint8Array(stateNames.length << 8).fill(actions.error);
  const on = (state: StateName, bytes: string, next: StateName | ActionName): void => {
    const entry = next in states ? states[next as StateName] : actions[next as ActionName];
    for (const byte of bytes) table[(states[state] << 8) | byte.charCodeAt(0)] = entry;
  };
  addStrings(table, on);
  addBody(on);
  addContainers(on);
  addLiterals(on);
  addNumbers(on);
  return table;
}

type On = (state: StateName, bytes: string, next: StateName | ActionName) => void;

const blank = ' \t\n\r';
const digit = '0123456789';

function addStrings(table: Uint8Array, on: On): void {
  for (const kind of ['name', 'key', 'text'] as const) {
    for (let byte = 0x20; byte < 0x100; byte += 1) table[(states[kind] << 8) | byte] = states[kind];
    on(kind, '\\', `${kind}Escape`);
    on(`${kind}Escape`, '"\\/bfnrt', kind);
    on(`${kind}Escape`, 'u', `${kind}Hex4`);
    on(`${kind}Hex4`, `${digit}abcdefABCDEF`, `${kind}Hex3`);
    on(`${kind}Hex3`, `${digit}abcdefABCDEF`, `${kind}Hex2`);
    on(`${kind}Hex2`, `${digit}abcdefABCDEF`, `${kind}Hex1`);
    on(`${kind}Hex1`, `${digit}abcdefABCDEF`, kind);
  }
  on('name', '"', 'closeName');
  on('key', '"', 'colon');
  on('text', '"', 'after');
}

function addBody(on: On): void {
  for (const state of ['firstName', 'nextName', 'nameColon', 'rowsColon', 'rowsArray'] as const) {
    on(state, blank, state);
  }
  for (const state of ['firstRow', 'nextRow', 'afterRow', 'end'] as const) on(state, blank, state);
  for (const state of ['beginning', 'start'] as const) {
    on(state, blank, 'start');
    on(state, '{', 'openBody');
  }
  on('beginning', '\xef', 'markByte2');
  on('markByte2', '\xbb', 'markByte3');
  on('markByte3', '\xbf', 'start');
  on('firstName', '}', 'closeObject');
  on('firstName', '"', 'openName');
  on('nextName', '"', 'openName');
  on('nameColon', ':', 'value');
  on('rowsColon', ':', 'rowsArray');
  on('rowsArray', '[', 'openRows');
  on('firstRow', '{', 'openRow');
  on('firstRow', ']', 'closeRows');
  on('nextRow', '{', 'openRow');
  on('afterRow', ',', 'nextRow');
  on('afterRow', ']', 'closeRows');
}

function addContainers(on: On): void {
  for (const state of ['firstKey', 'nextKey', 'colon', 'value', 'firstItem', 'after'] as const)
    on(state, blank, state);
  on('firstKey', '}', 'closeObject');
  on('firstKey', '"', 'key');
  on('nextKey', '"', 'key');
  on('colon', ':', 'value');
  for (const state of ['value', 'firstItem'] as const) {
    on(state, '"', 'text');
    on(state, '{', 'openObject');
    on(state, '[', 'openArray');
    on(state, `-${digit}`, 'startNumber');
    on(state, 't', 'rue');
    on(state, 'f', 'alse');
    on(state, 'n', 'ull');
  }
  on('firstItem', ']', 'closeArray');
  on('after', ',', 'comma');
  on('after', '}', 'closeObject');
  on('after', ']', 'closeArray');
}

function addLiterals(on: On): void {
  for (const rest of ['rue', 'alse', 'ull'] as const) {
    for (let at = 0; at < rest.length; at += 1) {
      const next = rest.slice(at + 1);
      on(rest.slice(at) as StateName, rest.charAt(at), next === '' ? 'after' : (next as StateName));
    }
  }
}

function addNumbers(on: On): void {
  on('minus', '0', 'zero');
  on('minus', '123456789', 'integer');
  on('integer', digit, 'integer');
  on('point', digit, 'fraction');
  on('fraction', digit, 'fraction');
  on('exponentMark', '+-', 'exponentSign');
  for (const state of ['exponentMark', 'exponentSign', 'exponent'] as const) on(state, digit, 'exponent');
  for (const state of ['zero', 'integer'] as const) on(state, '.', 'point');
  for (const state of ['zero', 'integer', 'fraction'] as const) on(state, 'eE', 'exponentMark');
  for (const state of ['zero', 'integer', 'fraction', 'exponent'] as const)
    on(state, `${blank},}]`, 'endNumber');
}

/** `jsonTable[(state << 8) | byte]` */
export const jsonTable: Uint8Array = buildTable();
