// Extract and inline: what they write, and what they refuse since it could change an output.
import { describe, expect, it } from 'vitest';
import type { EditResult } from '../../../../../src-main/domain/authoring/edit/edit-text.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { parseWorkflow } from '../../../../../src-main/domain/workflow/parse-workflow.ts';
import { runEditCases, type EditCase } from './run-edit-cases.ts';

/** Selects the first mention of a text in the file. */
const extracting =
  (selected: string) =>
  (text: string): EditResult => {
    const from = text.indexOf(selected);
    return editWorkflow(text, { kind: 'extract', from, to: from + selected.length, newId: 'host' });
  };
const inlining = (text: string): EditResult => editWorkflow(text, { kind: 'inline', id: 'host' });

const flow = (lead: string, host = ''): string => `rowbench: 1
id: leads
nodes:
  - id: input # rows come in here
    type: input

${host}  # Scores a lead.
  - id:   lead
    type: set
    values:
${lead.replace(/^/gm, '      ')}
  - { id: result, type: output, fields: { host: =nodes.lead } }
`;
const host = (value: string): string => `  - id: host
    type: set
    values:
      mail: ${value}

`;

const both: readonly (readonly [title: string, selected: string, EditCase['before'], string])[] = [
  [
    'a whole expression',
    '=row.email.split("@")[1]',
    flow('mail: =row.email.split("@")[1] # the host'),
    flow('mail: =nodes.host.mail # the host', host('=row.email.split("@")[1]')),
  ],
  [
    'a part of an expression in single quotes',
    "row.email ?? ''''",
    flow("mail: '=(row.email ?? '''').length > 1'"),
    flow("mail: '=(nodes.host.mail).length > 1'", host("=row.email ?? ''")),
  ],
  [
    'the expression of a placeholder in a block',
    'row.email.trim()',
    flow('mail: |\n  Dear {{ row.email.trim() }},\n  hello'),
    flow('mail: |\n  Dear {{ nodes.host.mail }},\n  hello', host('=row.email.trim()')),
  ],
];

describe('extract', () => {
  runEditCases(
    both.map(([title, selected, before, after]) => ({
      title: `${title} becomes a value of a new node before it`,
      before,
      after,
      edit: extracting(selected),
    })),
  );

  const code = (body: string): string =>
    flow('x: 1').replace(
      / {4}type: set\n {4}values:\n {6}x: 1/,
      `    type: code\n    code: |\n${body.replace(/^/gm, '      ')}`,
    );
  const keyed = (key: string): string => flow('mail: =row.a.b').replace('type: set', `type: set\n    ${key}`);
  const refused: readonly (readonly [title: string, before: string, selected: string, RegExp])[] = [
    ['half of an expression', flow('a: =row.a + row.b * 2'), 'row.a + row.b', /whole expression/],
    [
      'two placeholders',
      flow('a: x {{ row.a }} {{ row.b }}'),
      'x {{ row.a }} {{ row.b }}',
      /one whole expression/,
    ],
    ['plain text', flow('a: hello'), 'hello', /whole expression/],
    ['a key', flow('a: =row.a'), 'lead', /caret into an expression/],
    ['a method without its call', flow('a: =row.a.trim()'), 'row.a.trim', /call with its arguments/],
    [
      'a list that is sorted in place',
      flow('a: =row.a.map(String).sort()'),
      'row.a.map(String)',
      /"sort" changes it/,
    ],
    ['a local variable', flow('a: =row.a.map((x) => x.b)'), 'x.b', /"x", which exists only/],
    [
      'a parameter that hides the row',
      flow('a: =row.a.map((row) => row.b)'),
      'row.b)',
      /"row", which exists only/,
    ],
    [
      'a part that may not be evaluated',
      flow('a: "=row.a ? row.a.b.c : 1"'),
      'row.a.b.c',
      /only in some cases/,
    ],
    ['a start of an optional chain', flow('a: =row.a?.b.c'), 'row.a?.b', /all of the chain/],
    ['a random number', flow('a: =Math.random() * 6'), 'Math.random()', /Math.random/],
    [
      'the item of a list',
      keyed('each: =row.list').replace('row.a.b', 'item.b'),
      'item.b',
      /"item" exists only/,
    ],
    ['what fails into onError', keyed('onError: { value: 1 }'), 'row.a.b', /only in some cases/],
    ['an awaited value', code('return await row.a;'), 'await row.a', /whole expression/],
    [
      'code behind a return',
      code('if (!row.a) return 1;\nreturn row.a.b;'),
      'row.a.b;',
      /only in some cases/,
    ],
    [
      'a list that the code changes',
      code('const list = [...row.a];\nlist.push(1);\nreturn list;'),
      '[...row.a]',
      /changes "list"/,
    ],
    ['a taken id', flow('a: =row.a').replace('id: result', 'id: host'), '=row.a', /already/],
    ['a text that does not parse', flow('a: [').replace('  - {', '  - ['), 'lead', /./],
  ];
  runEditCases(
    refused.map(([title, before, selected, after]) => ({
      title: `${title} is refused`,
      before,
      after,
      edit: extracting(selected.replace(/[);]$/, selected.includes('(') ? '$&' : '')),
    })),
  );

  it('a condition goes along, and a simple read may stand in a branch', () => {
    const before = keyed('when: row.ok');
    const after = applyChanges(before, extracting('row.a.b')(before).changes ?? []);
    expect(after).toContain(
      '- id: host\n    type: set\n    when: row.ok\n    values:\n      mail: =row.a.b\n',
    );
    const branch = flow('mail: "=row.a ? row.b : 1"');
    expect(extracting('row.b')(branch).refusal).toBeUndefined();
  });

  it('code gives its value, and the caret stands for the whole expression', () => {
    const body = code('const { a } = row;\nreturn a + row.b.length;');
    const after = applyChanges(body, extracting('row.b.length')(body).changes ?? []);
    expect(after).toContain('return a + nodes.host.value;');
    expect(parseWorkflow(after).issues).toEqual([]);
    const text = flow('mail: "Dear {{ row.a }}, {{ row.b.c }}"');
    const caret = text.indexOf('b.c');
    const { changes = [] } = editWorkflow(text, { kind: 'extract', from: caret, to: caret, newId: 'host' });
    expect(applyChanges(text, changes)).toContain('mail: "Dear {{ row.a }}, {{ nodes.host.mail }}"');
  });

  it('a field of a form is named by its path', () => {
    const text = flow('mail: =row.a.b');
    const path = ['nodes', 1, 'values', 'mail'];
    const { changes = [] } = editWorkflow(text, { kind: 'extract', path, newId: 'host' });
    expect(applyChanges(text, changes)).toBe(flow('mail: =nodes.host.mail', host('=row.a.b')));
  });
});

describe('inline', () => {
  runEditCases([
    ...both.map(([title, , before, after]) => ({
      title: `${title} comes back`,
      before: after,
      after: before,
      edit: inlining,
    })),
    {
      title: 'a value gets parentheses where it needs them',
      before: flow('a: =nodes.host.mail * 2\nb: =[nodes.host.mail].length', host('=row.a + 1')),
      after: flow('a: =(row.a + 1) * 2\nb: =[(row.a + 1)].length'),
      edit: inlining,
    },
    {
      title: 'a template becomes a template literal',
      before: flow('a: =nodes.host.mail.length', host('Dear {{ row.a }}')),
      after: flow('a: =`Dear ${row.a}`.length'),
      edit: inlining,
    },
    ...(
      [
        ['a node that is read as a whole', flow('a: =nodes.host', host('=row.a')), /all of it/],
        ['a node that no node reads', flow('a: =row.a', host('=row.a')), /delete it instead/],
        [
          'a value that the code hides',
          flow('a: =row.l.map((row) => nodes.host.mail)', host('=row.a')),
          /"row" is a variable/,
        ],
        ['a missing value', flow('a: =nodes.host.other', host('=row.a')), /no value "other"/],
        [
          'a node with other keys',
          flow(
            'a: =nodes.host.mail',
            host('=row.a').replace('type: set', 'type: set\n    retry: { max: 2 }'),
          ),
          /Remove "retry"/,
        ],
        [
          'a condition of its own',
          flow('a: =nodes.host.mail', host('=row.a').replace('type: set', 'type: set\n    when: row.b')),
          /a condition/,
        ],
        [
          'a node that others wait for',
          flow('a: =nodes.host.mail', host('=row.a')).replace('fields:', 'after: host, fields:'),
          /waits for it/,
        ],
      ] as const
    ).map(([title, before, after]) => ({ title: `${title} is refused`, before, after, edit: inlining })),
  ]);
});
