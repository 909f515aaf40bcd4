// Completions at positions of the caret (¦): their first entries, and the text after the first is accepted.
import { describe, expect, it } from 'vitest';
import { completionsAt } from '../../../../../src-main/domain/authoring/language/completion.ts';
import {
  emptyContext,
  type LanguageContext,
} from '../../../../../src-main/domain/authoring/language/language-context.ts';
import { readFile } from '../../../../../src-main/domain/workflow/read-file.ts';

const context: LanguageContext = {
  ...emptyContext,
  workflowId: 'leads',
  workflowIds: ['leads', 'check-address', 'enrich'],
  secrets: ['CRM_TOKEN', 'MAIL_TOKEN'],
  rowFiles: ['countries.csv', 'rows.json'],
  tables: [{ path: 'countries.csv', columns: ['code', 'country name', 'yes'] }],
  seen: {
    row: [
      { email: 'a@b.example', 'first name': 'Ada', address: { city: 'Rome', 'a: b': 1 } },
      { email: 'c@d.example', lines: [{ price: 2, quantity: 3 }] },
    ],
    nodes: {
      score: [{ points: 7, label: 'hot' }, { points: 2 }],
      company: [{ status: 200, body: { name: 'ACME' } }],
    },
  },
};

const flow = (node: string): string => `rowbench: 1
id: leads
nodes:
  - id: input
    type: input
    fields: { email: { type: string, description: Where to write. }, total: { type: number } }
  - id: score
    type: set
    values: { points: =row.total, label: Lead }
  - id: company
    type: http
    request: { url: https://api.example.com }
    mock: { found: { status: 200 }, 'not there': { error: No } }
${node}
  - id: result
    type: output
    fields: { label: =nodes.score.label }
`;

type Case = {
  readonly text: string;
  readonly first: readonly string[];
  /** A part of the text after the first entry is accepted. */
  readonly after?: string;
  readonly workflowText?: string;
};

const json = (node: string): string =>
  `{\n  "rowbench": 1,\n  "id": "leads",\n  "nodes": [\n    { "id": "input", "type": "input" },\n    { "id": "one", "type": "set", "values": { "a": 1 } },\n    ${node}\n  ]\n}\n`;

const tests = (test: string): string => `rowbench: 1\ntests:\n  - name: One\n${test}\n`;

const cases: Readonly<Record<string, Case>> = {
  'an empty file': { text: '¦', first: ['rowbench', 'id', 'nodes'], after: 'rowbench: ' },
  'a name in repeat': {
    text: flow(`  - id: list
    type: http
    request: { url: https://api.example.com }
    repeat:
      while: prev¦`),
    first: ['row', 'nodes', 'previous', 'round'],
  },
  'a member of the last answer': {
    text: flow(`  - id: list
    type: http
    request: { url: https://api.example.com }
    repeat:
      while: previous.st¦`),
    first: ['status'],
  },
  'a key of the file': {
    text: 'rowbench: 1\nid: leads\nna¦\nnodes: []\n',
    first: ['$schema', 'name'],
    after: '\n$schema: \nnodes',
  },
  'a choice of the file': { text: 'onRowError: ¦\n', first: ['fail', 'skip'], after: 'onRowError: fail\n' },
  'a new node': { text: flow('  - ¦'), first: ['id', 'type'], after: '  - id: ' },
  'a key of a node without a type': { text: flow('  - id: one\n    ¦'), first: ['type', 'when'] },
  'the type of a node': {
    text: flow('  - id: one\n    type: ¦'),
    first: ['input', 'set'],
    after: 'type: input',
  },
  'the type of a node in braces': { text: flow('  - { id: one, type: se¦ }'), first: ['input', 'set'] },
  'the keys that a type needs': {
    text: flow('  - id: one\n    type: http\n    ¦'),
    first: ['request', 'when'],
    after: '    request: ',
  },
  'the keys of a node in braces': {
    text: flow('  - { id: one, type: delay, ¦ }'),
    first: ['for'],
    after: 'type: delay, for:  }',
  },
  'a key with its colon': {
    text: flow('  - id: one\n    ty¦: set'),
    first: ['type'],
    after: '    type: set',
  },
  'keys of a request': {
    text: flow('  - id: one\n    type: http\n    request:\n      ¦'),
    first: ['url', 'method'],
    after: '      url: ',
  },
  'a method': {
    text: flow('  - id: one\n    type: http\n    request: { method: P¦ }'),
    first: ['GET', 'HEAD', 'POST'],
  },
  'keys of a case': {
    text: flow('  - id: one\n    type: switch\n    cases:\n      - ¦'),
    first: ['when', 'value'],
  },
  'keys of retry': {
    text: flow('  - id: one\n    type: http\n    retry: { ¦ }'),
    first: ['attempts', 'delay'],
  },
  'the keys of a field of the input': {
    text: flow('').replace('type: number', 'type: number, ¦'),
    first: ['required', 'description'],
  },
  'the type of a field': {
    text: flow('').replace('{ type: number', '{ type: ¦'),
    first: ['string', 'number'],
  },
  'a truth value': {
    text: flow('').replace('type: number', 'type: number, required: ¦'),
    first: ['true', 'false'],
  },
  'nodes in after': {
    text: flow('  - id: one\n    type: fail\n    after: [¦]'),
    first: ['score', 'company', 'result'],
    after: '[score]',
  },
  'more nodes in after': {
    text: flow('  - id: one\n    after:\n      - score\n      - ¦'),
    first: ['company', 'result'],
  },
  'a name of a secret': {
    text: flow('  - id: one\n    type: http\n    auth: { secret: ¦ }'),
    first: ['CRM_TOKEN', 'MAIL_TOKEN'],
  },
  'a name of a secret of an OAuth 2 client': {
    text: flow('  - id: one\n    type: http\n    auth: { oauth2: { secret: ¦ } }'),
    first: ['CRM_TOKEN', 'MAIL_TOKEN'],
  },
  'a workflow to call': {
    text: flow('  - id: one\n    type: workflow\n    workflow: ¦'),
    first: ['check-address', 'enrich'],
  },
  'a table': {
    text: flow('  - id: one\n    type: lookup\n    table: c¦'),
    first: ['countries.csv', 'rows.json'],
  },
  'a column of a table': {
    text: flow('  - id: one\n    type: lookup\n    table: countries.csv\n    key: ¦'),
    first: ['code', 'country name', 'yes'],
  },
  'a file of test rows': {
    text: flow('').replace('    fields: { e', '    testRows: ¦\n    fields: { e'),
    first: ['countries.csv', 'rows.json'],
  },
  'the fields of a test row': {
    text: flow('').replace('    fields: { e', '    testRows: [{ ¦ }]\n    fields: { e'),
    first: ['email', 'total'],
  },
  'names in an expression': {
    text: flow('  - { id: one, type: set, values: { a: =¦ } }'),
    first: ['row', 'nodes', 'AggregateError'],
    after: 'a: =row }',
  },
  'variables of the file': {
    text: flow("  - { id: one, type: set, values: { a: '{{ vars.¦ }}' } }").replace(
      'nodes:',
      'vars: { base: https://a.example, limits: { rows: 3 } }\nnodes:',
    ),
    first: ['base', 'limits'],
    after: "a: '{{ vars.base }}' }",
  },
  'members of a variable': {
    text: flow('  - { id: one, type: set, values: { a: =vars.limits.¦ } }').replace(
      'nodes:',
      'vars: { limits: { rows: 3 } }\nnodes:',
    ),
    first: ['rows'],
  },
  'names in a node with each': {
    text: flow('  - { id: one, type: set, each: row.lines, values: { a: =it¦ } }'),
    first: ['row', 'nodes', 'item', 'index'],
  },
  'an empty value': {
    text: flow('  - { id: one, type: set, values: { a: ¦ } }'),
    first: ['=row.email', '=row.address', '=row.lines', '=row.total', '=nodes.score'],
    after: 'a: =row.email }',
  },
  'an empty value of a node that waits for another one': {
    text: flow('  - { id: one, type: set, after: company, values: { a: ¦ } }'),
    first: ['=nodes.company', '=row.email'],
    after: 'a: =nodes.company }',
  },
  'the nodes, for a node that waits for one of them': {
    text: flow('  - { id: one, type: set, after: [company], values: { a: =nodes.¦ } }'),
    first: ['company', 'input', 'score', 'result'],
  },
  'an empty condition': {
    text: flow('  - id: one\n    type: set\n    when: ¦'),
    first: ['row', 'nodes'],
    after: 'when: row',
  },
  'the row': {
    text: flow('  - id: one\n    type: set\n    values:\n      a: =row.¦'),
    first: ['email', 'first name', 'address', 'lines', 'total'],
  },
  'the row in open quotes': {
    text: flow('  - id: one\n    type: set\n    values: { a: "=row.em¦'),
    first: ['email', 'first name'],
  },
  'an object in the row': {
    text: flow('  - id: one\n    type: set\n    when: row.address.¦'),
    first: ['city', 'a: b'],
  },
  'a text of the row': {
    text: flow('  - id: one\n    type: set\n    when: row.email.¦'),
    first: ['length', 'trim'],
  },
  'a name in brackets': {
    text: flow("  - id: one\n    type: set\n    when: row['¦'] > 1"),
    first: ['email', 'first name'],
  },
  'an item of the row': {
    text: flow('  - id: one\n    type: set\n    each: =row.lines\n    values: { a: =item.¦ }'),
    first: ['price', 'quantity'],
  },
  nodes: {
    text: flow('  - id: one\n    type: set\n    values: { a: =nodes.¦ }'),
    first: ['input', 'score', 'company', 'result'],
  },
  'the value of a node': {
    text: flow('  - id: one\n    type: set\n    values: { a: =nodes.score.¦ }'),
    first: ['points', 'label'],
    after: '=nodes.score.points }',
  },
  'a value inside of a node': {
    text: flow('  - id: one\n    type: set\n    values: { a: =nodes.company.body.¦ }'),
    first: ['name'],
  },
  'a node through another': {
    text: flow('  - id: one\n    type: set\n    values: { a: =nodes.result.¦ }'),
    first: ['label'],
  },
  'a template': {
    text: flow('  - id: one\n    type: http\n    request: { url: "https://x.example/{{ row.¦ }}" }'),
    first: ['email'],
    after: '/{{ row.email }}"',
  },
  'a plain template without its end': {
    text: flow('  - id: one\n    type: fail\n    message: Lead {{ nodes.score.¦'),
    first: ['points'],
  },
  'a block of code': {
    text: flow('  - id: one\n    type: code\n    code: |\n      const x = 1;\n      return nodes.score?.¦\n'),
    first: ['points', 'label'],
    after: 'return nodes.score?.points',
  },
  'a line in the middle of code': {
    text: flow('  - id: one\n    type: code\n    code: |\n      if (row.¦) {\n        return 1;\n      }\n'),
    first: ['email'],
  },
  'a key in JSON': { text: json('{ "id": "r", "¦" }'), first: ['type', 'when'], after: '"type" }' },
  'a key in JSON without quotes': {
    text: json('{ "id": "r", "type": "delay", ¦ }'),
    first: ['for'],
    after: '"for": ',
  },
  'a type in JSON': {
    text: json('{ "id": "r", "type": ¦ }'),
    first: ['input', 'set'],
    after: '"type": "input" }',
  },
  'a type in quotes in JSON': {
    text: json('{ "id": "r", "type": "¦" }'),
    first: ['input', 'set'],
    after: '"type": "input" }',
  },
  'an expression in JSON': {
    text: json('{ "id": "r", "type": "output", "fields": { "a": "=nodes.one.¦" } }'),
    first: ['a'],
  },
  'the keys of a test': { text: tests('    ¦'), first: ['rows', 'expect', 'mocks'], workflowText: flow('') },
  'nodes with mocks': {
    text: tests('    mocks: { ¦ }'),
    first: ['company'],
    after: '{ company: ',
    workflowText: flow(''),
  },
  'names of mocks': {
    text: tests('    mocks: { company: ¦ }'),
    first: ['found', 'not there'],
    workflowText: flow(''),
  },
  'the fields of a row': {
    text: tests('    rows:\n      - ¦'),
    first: ['email', 'total'],
    workflowText: flow(''),
  },
  'the fields of an output': {
    text: tests('    expect: { rows: [{ ¦ }] }'),
    first: ['label'],
    workflowText: flow(''),
  },
  'how a run ends': {
    text: tests('    expect: { status: ¦ }'),
    first: ['completed', 'failed'],
    workflowText: flow(''),
  },
};

/** Offers at the caret, and the text without it. */
function completed({ text, workflowText }: Case) {
  const offset = text.indexOf('¦');
  const source = text.replace('¦', '');
  return { source, offset, found: completionsAt({ text: source, workflowText }, offset, context) };
}

function accepted(entry: Case, index: number): string {
  const { source, offset, found } = completed(entry);
  const option = found?.options[index];
  if (found === undefined || option === undefined) return source;
  return source.slice(0, option.from ?? found.from) + (option.insert ?? option.label) + source.slice(offset);
}

describe('completions', () => {
  for (const [title, entry] of Object.entries(cases))
    for (const [variant, change] of [
      ['', (text: string) => text],
      [' with CRLF and a byte order mark', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ] as const)
      it(`at ${title}${variant}`, () => {
        const changed = { ...entry, text: change(entry.text) };
        const { source, found } = completed(changed);
        expect(found?.options.slice(0, entry.first.length).map(({ label }) => label)).toEqual(entry.first);
        if (entry.after !== undefined)
          expect(accepted(changed, 0)).toContain(change(entry.after).replace('\ufeff', ''));
        // Each entry leaves a text that was YAML as YAML.
        const isYaml = readFile(source).document !== undefined;
        for (const index of found?.options.keys() ?? [])
          if (isYaml && index < 12)
            expect(readFile(accepted(changed, index)).issues, accepted(changed, index)).toEqual([]);
      });

  it('are found soon at each of these positions', async ({ annotate }) => {
    const times = Object.values(cases)
      .map((entry) => {
        const before = process.cpuUsage();
        completed(entry);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      })
      .sort((one, other) => one - other);
    expect(times.length).toBeGreaterThanOrEqual(54);
    const p95 = times[Math.floor(times.length * 0.95)] ?? Infinity;
    await annotate(`p95 of ${times.length} positions, in ms of a core: ${p95.toFixed(1)}`);
    // The target is 50.
    expect(p95).toBeLessThan(250);
  });

  it('write names that need quotes in quotes', () => {
    const column = cases['a column of a table'];
    expect(column && accepted(column, 1)).toContain('key: "country name"\n');
    expect(column && accepted(column, 2)).toContain('key: "yes"\n');
    const row = cases['the row'];
    expect(row && accepted(row, 1)).toContain("a: =row['first name']\n");
    const flowRow = { text: flow('  - { id: one, type: set, values: { a: =row.¦ } }'), first: [] };
    expect(accepted(flowRow, 1)).toContain(`a: "=row['first name']" }`);
    const city = cases['an object in the row'];
    expect(city && accepted(city, 1)).toContain(`when: "row.address['a: b']"\n`);
  });

  it('show types and values', () => {
    const { found } = completed({
      text: flow('  - { id: one, type: set, values: { a: =row.¦ } }'),
      first: [],
    });
    expect(found?.options[0]).toMatchObject({ detail: 'text', info: 'Where to write.\n"a@b.example"' });
    expect(found?.options[3]).toMatchObject({ label: 'lines', detail: 'list' });
  });

  it.each([
    ['a comment', 'rowbench: 1 # co¦mment\n'],
    ['plain text', flow('  - { id: one, type: fail, message: Som¦e }')],
    ['a text in code', flow(`  - { id: one, type: set, when: "row.a === 'ro¦'" }`)],
    ['a number', flow('  - { id: one, type: set, when: 1.¦ }')],
    ['a result of a call', flow('  - { id: one, type: set, when: row.a().¦ }')],
  ])('are none in %s', (_, text) => {
    expect(completed({ text, first: [] }).found).toBeUndefined();
  });
});

describe('completions in a value that is edited apart from its file', () => {
  type Typed = { readonly path: readonly (string | number)[]; readonly text: string };

  /** Offers at the caret (¦) in the value; its text after one is accepted. */
  function inValue({ path, text }: Typed, name?: string) {
    const at = text.indexOf('¦');
    const typed = text.replace('¦', '');
    const file = { text: flow('  - { id: ask, type: http }'), value: { path, text: typed } };
    const found = completionsAt(file, at, context);
    const chosen = found?.options.find(({ label }) => label === name);
    const accepted =
      found && chosen
        ? typed.slice(0, chosen.from ?? found.from) + (chosen.insert ?? chosen.label) + typed.slice(at)
        : typed;
    return { names: found?.options.map(({ label }) => label) ?? [], accepted };
  }

  const value = (name: string) => ['nodes', 1, 'values', name];

  it.each<[string, Typed, string, string]>([
    ['nodes of an expression', { path: value('points'), text: '=nodes.¦' }, 'company', '=nodes.company'],
    [
      'nodes of a template',
      { path: value('label'), text: 'Dear {{ nodes.¦ }}' },
      'company',
      'Dear {{ nodes.company }}',
    ],
    [
      'fields with odd names',
      { path: value('label'), text: '="a: \'b\' #" + row.first¦' },
      'first name',
      `="a: 'b' #" + row['first name']`,
    ],
    [
      'a name that the file does not have',
      { path: value('new'), text: '=row.addr¦ # "no comment"' },
      'address',
      '=row.address # "no comment"',
    ],
    [
      'keys whose objects are missing',
      { path: ['nodes', 3, 'request', 'url'], text: 'https://x/{{ row.em¦' },
      'email',
      'https://x/{{ row.email',
    ],
    [
      'conditions without "="',
      { path: ['nodes', 1, 'when'], text: 'nodes.company.st¦' },
      'status',
      'nodes.company.status',
    ],
    ['names of secrets', { path: ['nodes', 2, 'auth', 'secret'], text: '¦' }, 'CRM_TOKEN', 'CRM_TOKEN'],
    [
      'the second line of a text',
      { path: value('label'), text: 'Dear\n{{ row.em¦ }}' },
      'email',
      'Dear\n{{ row.email }}',
    ],
  ])('offer %s, written without escapes', (...[, typed, name, accepted]) => {
    const found = inValue(typed, name);
    expect(found.names).toContain(name);
    expect(found.accepted).toBe(accepted);
  });

  it('offer nothing in plain text, and behind its end', () => {
    expect(inValue({ path: value('label'), text: 'nodes.¦' }).names).toEqual([]);
    const at = (text: string, offset: number) =>
      completionsAt({ text, value: { path: value('points'), text: '=row.' } }, offset, context);
    expect(at(flow(''), 6)).toBeUndefined();
  });
});
