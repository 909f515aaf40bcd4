// The values of a node's expressions in a preview.
import { expect, it } from 'vitest';
import { draftFlow, plainDraft, previewDraft, statesOf, textsOf } from '../../builders/draft-preview.ts';
import { openTestServices } from '../../builders/open-test-services.ts';

const draft = draftFlow(`  - { id: double, type: set, values: { n: =row.n * 2 } }
  - id: size
    type: switch
    when: nodes.double.n > 2
    cases:
      - { when: row.n > 2, value: large }
      - { when: row.gone.x, value: { text: "n is {{ row.n }}" } }
    default: [=nodes.double.n]
  - { id: result, type: output, fields: { n: =nodes.double.n, size: =nodes.size } }`);

it('shows each expression of a node with its value, and nodes as without it', async () => {
  const services = await openTestServices({ flow: plainDraft });
  const { rows } = await previewDraft(services, draft, { fieldsOf: 'size' });
  const plain = await previewDraft(services, draft);
  expect(rows.map((row) => ({ ...row, fields: undefined }))).toEqual(plain.rows);
  expect(services.previews.seenValues('flow').nodes).not.toHaveProperty(['field 0']);
  const fieldOf = (row: number, ...path: readonly (string | number)[]) =>
    rows[row]?.fields?.find((field) => field.path.join('.') === path.join('.'));
  expect(rows[2]?.fields?.map(({ path }) => path.join('.'))).toEqual([
    'when',
    'cases.0.when',
    'cases.1.when',
    'cases.1.value.text',
    'default.0',
  ]);
  expect(fieldOf(0, 'when')?.value).toEqual({ kind: 'boolean', text: 'false' });
  expect(fieldOf(2, 'cases', 0, 'when')?.value).toEqual({ kind: 'boolean', text: 'true' });
  expect(fieldOf(1, 'cases', 1, 'value', 'text')?.value).toEqual({ kind: 'text', text: 'n is 2' });
  expect(fieldOf(1, 'default', 0)?.value).toEqual({ kind: 'number', text: '4' });
  expect(fieldOf(1, 'cases', 1, 'when')?.error).toContain('undefined');
});

it('shows the expressions of a node that fails, and of the first item of a list', async () => {
  const services = await openTestServices({ flow: plainDraft });
  const failing = draftFlow(`  - id: parts
    type: set
    each: '[row.n, 5]'
    values: { x: =item + 1, y: =item.gone.x }
  - { id: other, type: set, each: row.gone.x, values: { x: =item } }
  - { id: result, type: output, fields: { n: =nodes.parts } }`);
  const { rows } = await previewDraft(services, failing, { fieldsOf: 'parts' });
  expect(statesOf(rows, 'parts')).toEqual(['failed', 'failed', 'failed']);
  expect(rows[1]?.fields).toMatchObject([
    { path: ['each'], value: { kind: 'list', text: '[2,5]' } },
    { path: ['values', 'x'], value: { kind: 'number', text: '3' } },
    { path: ['values', 'y'], error: expect.any(String) as string },
  ]);
  const other = await previewDraft(services, failing.replace(/, y: [^}]+/, ''), { fieldsOf: 'other' });
  expect(statesOf(other.rows, 'parts')).toEqual(['done', 'done', 'done']);
  expect(other.rows[0]?.fields).toMatchObject([{ path: ['each'], error: expect.any(String) as string }]);
});

it('shows the expressions for the requested item, and both ends of that item', async () => {
  const services = await openTestServices({ flow: plainDraft });
  const draft = draftFlow(`  - id: parts
    type: set
    each: '[row.n, 5, { a: 7 }]'
    values: { at: =index, text: "{{ index }} is {{ item.a }}", x: =item }
  - { id: result, type: output, fields: { n: =nodes.parts } }`);
  const { rows } = await previewDraft(services, draft, { fieldsOf: 'parts', item: 3 });
  expect(rows[1]?.fields?.map(({ value }) => value?.text)).toEqual([
    '[2,5,{"a":7}]',
    '2',
    '2 is 7',
    '{"a":7}',
  ]);
  const valueOf = (item: number, isRead?: boolean) =>
    services.previews.value('flow', { row: 2, nodeId: 'parts', item, isRead })?.json;
  expect([1, 2, 3, 4].map((item) => valueOf(item, true))).toEqual(['2', '5', '{"a":7}', undefined]);
  expect(valueOf(1)).toBe('{"at":0,"text":"0 is ","x":2}');
  expect(valueOf(4)).toBeUndefined();
  const beyond = await previewDraft(services, draft, { fieldsOf: 'parts', item: 4 });
  expect(beyond.rows[0]?.fields?.map(({ path }) => path.join('.'))).toEqual(['each']);
});

it('shows no expression of a node whose inputs are missing, and which one takes too long', async () => {
  const services = await openTestServices({ flow: plainDraft });
  const calling =
    draftFlow(`  - { id: page, type: http, request: { url: "https://api.example.com/{{ row.n }}" } }
  - { id: slow, type: set, values: { x: =nodes.page.status, y: =row.n } }
  - { id: result, type: output, fields: { n: =nodes.slow.y } }`);
  const { rows } = await previewDraft(services, calling, { fieldsOf: 'slow' });
  expect(rows[0]?.fields).toEqual([{ path: ['values', 'y'], value: { kind: 'number', text: '1' } }]);
  const endless = draftFlow(`  - { id: first, type: set, values: { x: =row.n } }
  - { id: slow, type: set, values: { x: "=(() => { while (true); })()" } }
  - { id: result, type: output, fields: { n: =nodes.slow.x } }`);
  const stopped = await previewDraft(services, endless, { fieldsOf: 'slow' });
  expect(statesOf(stopped.rows, 'slow')[0]).toBe('tooSlow');
  expect(textsOf(stopped.rows, 'first')).toEqual(['{"x":1}', '{"x":2}', '{"x":3}']);
  expect(stopped.rows[0]?.fields).toEqual([
    { path: ['values', 'x'], error: expect.stringContaining('time limit of 250 ms exceeded') as string },
  ]);
});

it('shows the value of a switch that does not need the expression that takes too long', async () => {
  const services = await openTestServices({ flow: plainDraft });
  const draft = draftFlow(`  - id: choose
    type: switch
    cases:
      - { when: row.n < 9, value: =row.n }
      - { when: "true", value: "=(() => { while (true); })()" }
  - { id: result, type: output, fields: { n: =nodes.choose } }`);
  const { rows } = await previewDraft(services, draft, { fieldsOf: 'choose' });
  expect(textsOf(rows, 'choose')).toEqual(['1', '2', '3']);
});
