// Edits of files of rows by their rows: what did not change keeps its bytes, and the text has the new rows.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src-main/base/json-value.ts';
import { editRowText, readRowFile } from '../../../../../src-main/domain/authoring/edit/edit-row-text.ts';

const fields = [{ name: 'n', type: 'number' }] as const;
const edited = (
  name: string,
  text: string,
  rows: readonly JsonObject[],
  columns = namesIn(name, text, rows),
) => editRowText({ name, text, fields }, rows, columns);

const rowsOfFile = (file: Parameters<typeof readRowFile>[0]): readonly JsonObject[] => readRowFile(file).rows;

/** The columns of the file, with those of additional names in the new rows. */
const namesIn = (name: string, text: string, rows: readonly JsonObject[]): readonly string[] => {
  const { columns = [] } = readRowFile({ name, text, fields });
  return [...new Set([...columns, ...rows.flatMap((row) => Object.keys(row))])];
};

const files: Readonly<Record<string, string>> = {
  'a.json':
    '[\r\n  { "n": 1.0,  "s": "[{\\"" },\r\n  { "n": 2, "s": "b" },\r\n  { "n": 3, "s": "c" }\r\n]\r\n',
  'flat.json': '[{"n":1,"s":"a"},{"n":2,"s":"b"},{"n":3,"s":"c"}]',
  'a.ndjson': '{"n": 1, "s": "a"}\n\n{"n":2,"s":"b"}\n{"n":3,"s":"c"}\n',
  'a.csv': '\ufeffn,s\r\n1.0,"a, ""x"""\r\n2,b\r\n3,"c\nd"\r\n',
  'semicolon.csv': 'n;s\n1;a,b\n2;b\n3;c',
  'a.tsv': 'n\ts\n1\ta\n2\tb\n3\tc\n',
};

/** The files with a new row once all rows are removed. */
const refilled: Readonly<Record<string, string>> = {
  'a.json': '[\r\n  { "n": 1, "s": "a" }\r\n]\r\n',
  'flat.json': '[\n  { "n": 1, "s": "a" }\n]',
  'a.ndjson': '{ "n": 1, "s": "a" }\n',
  'a.csv': '\ufeffn,s\r\n1,a\r\n',
  'semicolon.csv': 'n;s\n1;a\n',
  'a.tsv': 'n\ts\n1\ta\n',
};

describe.each(Object.entries(files))('%s', (name, text) => {
  const before = rowsOfFile({ name, text, fields });
  const edit = (change: (rows: JsonObject[]) => JsonObject[]): string => {
    const after = change([...before]);
    const result = edited(name, text, after) ?? 'refused';
    expect(rowsOfFile({ name, text: result, fields })).toEqual(after);
    return result;
  };

  it('keeps its bytes where nothing changes, whatever the order of names', () => {
    expect(edit((rows) => rows.map(({ n = null, s = null }) => ({ s, n })))).toBe(text);
  });

  it('has a changed row, and the others as they were', () => {
    const result = edit((rows) => rows.with(1, { n: 2, s: 'x,\t"y"' }));
    const at = /\{?\s*("n": ?)?2/.exec(text)?.index ?? 0;
    expect(result.slice(0, at)).toBe(text.slice(0, at));
    const rest = text.slice(text.search(/\{?\s*("n": ?)?3/));
    expect(result.endsWith(rest)).toBe(true);
  });

  it('loses and gains rows at any place', () => {
    for (const at of [0, 1, 2]) {
      edit((rows) => rows.toSpliced(at, 1));
      edit((rows) => rows.toSpliced(at, 0, { n: 9, s: 'new' }));
      edit((rows) => rows.toSpliced(at, 1, { n: 8, s: 'y' }, { n: 9, s: 'new' }));
    }
    edit((rows) => [...rows, { n: 4, s: 'd' }]);
    edit((rows) => [...rows].reverse());
    edit((rows) => rows.slice(0, 1));
    const emptied = edit(() => []);
    expect(edited(name, emptied, [])).toBe(emptied);
    expect(edited(name, emptied, [{ n: 1, s: 'a' }])).toBe(refilled[name]);
  });
});

it.each([
  ['a.json', '[\n]\n', '[\n  { "n": 1 }\n]\n'],
  ['a.json', '[]', '[\n  { "n": 1 }\n]'],
  ['a.ndjson', '', '{ "n": 1 }\n'],
  ['a.csv', 'n,s\n', 'n,s\n1,\n'],
  ['a.csv', 's;n;t\n', 's;n;t\n;1;\n'],
  ['a.csv', 's|n|t', 's|n|t\n|1|\n'],
  ['a.tsv', 'n\t\r\n', 'n\t\r\n1\t\r\n'],
])('an empty %s gets a row', (name, text, after) => {
  expect(edited(name, text, [{ n: 1 }])).toBe(after);
});

it('a row in JSON is written like the one it replaces', () => {
  const text = '[\n  {\n    "n": 1,\n    "s": ["a"]\n  },\n  {"n":2}\n]\n';
  expect(edited('a.json', text, [{ n: 3, s: ['a'] }, { n: 2 }])).toBe(
    '[\n  {\n    "n": 3,\n    "s": [\n      "a"\n    ]\n  },\n  {"n":2}\n]\n',
  );
  const tabs = '[{\r\n\t"n": 1\r\n}, {\r\n\t"n": 2\r\n}]';
  expect(edited('a.json', tabs, [{ n: 1 }, { n: 3 }])).toBe(tabs.replace('2', '3'));
});

it('a cell of a table keeps its bytes beside one that changes', () => {
  expect(edited('a.csv', 'n,s,t\n1.50,"a",=1\n', [{ n: 1.5, s: 'a', t: 'b' }])).toBe('n,s,t\n1.50,"a",b\n');
});

it('a table gets the columns of its rows, and a record without values', () => {
  expect(edited('a.csv', 'n\n1\n', [{ n: 1, x: 'y' }, {}])).toBe('n,x\n1,y\n"",\n');
  expect(edited('a.csv', '', [{ 'first name': 'y' }])).toBe('"first name"\ny\n');
});

it('a table with another set of columns keeps its other bytes, and columns without a value', () => {
  const text = '\ufeff n;s;t;\r\n1.50;"a";;\r\n\r\n2;b;"";';
  const [one = {}, two = {}] = rowsOfFile({ name: 'a.csv', text, fields });
  expect(edited('a.csv', text, [one, { ...two, 'x y': 'c' }])).toBe(
    '\ufeff n;s;t;x y;\r\n1.50;"a";;;\r\n\r\n2;b;"";c;',
  );
  // A renamed column stays in its place; a removed one goes.
  const renamed = [
    { n: 1.5, name: 'a', t: '' },
    { n: 2, name: '=b', t: '' },
  ];
  expect(edited('a.csv', text, renamed, ['n', 'name', 't'])).toBe(
    '\ufeff n;name;t;\r\n1.50;"a";;\r\n\r\n2;\'=b;"";',
  );
  expect(edited('a.csv', 'n,s\n1.50,"a"\n', [{ m: 1.5, s: 'a' }], ['m', 's'])).toBe('m,s\n1.5,"a"\n');
  expect(edited('a.csv', text, [{ n: 1.5, s: 'a' }, { n: 2 }], ['n', 's'])).toBe(
    '\ufeff n;s;\r\n1.50;"a";\r\n\r\n2;;',
  );
  // Columns of a header alone stay, too.
  expect(edited('a.csv', 's;n\n', [{ n: 1, x: 'y' }])).toBe('s;n;x\n;1;y\n');
});

it('a table has the columns of the grid, in their order', () => {
  const text = 'n;s;t\n1.50;"a";b\n';
  const row = { n: 1.5, s: 'a', t: 'b' };
  expect(edited('a.csv', text, [{ ...row, x: 'y' }], ['n', 'x', 's', 't'])).toBe('n;x;s;t\n1.50;y;"a";b\n');
  expect(edited('a.csv', text, [row], ['t', 'n', 's'])).toBe('t;n;s\nb;1.50;"a"\n');
  expect(edited('a.csv', text, [row], ['n', 'column 2', 's', 't'])).toBe('n;column 2;s;t\n1.50;;"a";b\n');
  expect(edited('a.csv', 's,t\n', [], ['t', 'x', 's'])).toBe('t,x,s\n');
  // A field of the input node is no column before it has a value.
  expect(edited('a.csv', 's\na\n', [{ s: 'b' }], ['s', 'n'])).toBe('s\nb\n');
  expect(edited('a.csv', 's\na\n', [{ s: 'a', n: 1 }], ['n', 's'])).toBe('n,s\n1,a\n');
  expect(edited('a.csv', text, [{}], [])).toBeUndefined();
});

it('a column may have the name of a method or of the prototype', () => {
  const text = 'n,constructor,toString,__proto__\n1,a,b,c\n';
  const [row = {}] = rowsOfFile({ name: 'a.csv', text, fields });
  expect(edited('a.csv', text, [row, { n: 2 }])).toBe(`${text}2,,,\n`);
  expect(edited('a.csv', text, [{ n: 1 }])).toBe(text.replace('1,a,b,c', '1,,,'));
  const json = '[{"n":1,"__proto__":{"a":1}},{"n":2}]';
  const [first = {}] = rowsOfFile({ name: 'a.json', text: json, fields });
  expect(edited('a.json', json, [{ ...first, n: 3 }, { n: 2 }])).toBe(json.replace('1', '3'));
});

it.each([
  ['a byte order mark', 'a.json', '\ufeff[{"n":1,"s":"a"}]'],
  ['a byte order mark', 'a.ndjson', '\ufeff{"n":1,"s":"a"}\n'],
  ['a byte order mark', 'a.csv', '\ufeff"n",s\n1,a\n'],
  ['a line that names the delimiter', 'a.csv', 'sep=;\r\nn;s\r\n1;a\r\n'],
  ['lines of blanks', 'a.csv', 'n,s\n  \n1,a\n , \n2,b\n'],
  ['empty cells behind those of the header', 'a.csv', 'n,s\n1,a,,""\n2,b\n'],
  ['line breaks of one character', 'a.csv', 'n,s\r1,a\r'],
])('%s of %s stays', (_, name, text) => {
  const rows = rowsOfFile({ name, text, fields });
  expect(edited(name, text, rows.with(0, { n: 1, s: 'x' }))).toBe(text.replace(/a(?=["\r\n,])/, 'x'));
  const added = edited(name, text, [...rows, { n: 9, s: 'z' }]) ?? 'refused';
  expect(rowsOfFile({ name, text: added, fields })).toEqual([...rows, { n: 9, s: 'z' }]);
  expect(added.startsWith(text.trimEnd().replace(/]$/, ''))).toBe(true);
});

it('a row with the words of the header is no header', () => {
  expect(edited('a.csv', 's,t\na,b\n', [{ s: 's', t: 't' }])).toBe('s,t\n"s","t"\n');
});

it('rows that the text cannot hold are refused', () => {
  // An object around the list; a record with more cells than the header; two columns of one name.
  expect(edited('a.json', '{"rows":[{"n":1}]}', [{ n: 2 }])).toBeUndefined();
  expect(edited('a.csv', 'n,s\n1,a,b\n2,c\n', [{ n: 1, s: 'a' }])).toBeUndefined();
  expect(edited('a.csv', 's,s\na,b\n', [{ s: 'x', 's (2)': 'b' }])).toBeUndefined();
  expect(edited('a.csv', 's,s\n', [{ s: 'x' }])).toBeUndefined();
});
