import { describe, expect, it } from 'vitest';
import { findReach, reachBeyond, reachKeys, type Reach } from '../../../../src-main/domain/trust/reach.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

function reachOf(nodes: string): Reach {
  const { workflow, issues } = parseWorkflow(workflowText(nodes));
  if (workflow === undefined) throw new Error(JSON.stringify(issues));
  return findReach(workflow);
}

const calling = (url: string, more = ''): Reach =>
  reachOf(`  - { id: call, type: http, request: { url: ${JSON.stringify(url)} }${more} }`);

describe('the host of a call', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://API.example.com:8443/a?b#c', 'https://api.example.com:8443'],
    ['http://127.0.0.1:9/x', 'http://127.0.0.1:9'],
    ['http://[::1]:9/x', 'http://[::1]:9'],
    ['https://api.example.com/companies/{{ row.host }}', 'https://api.example.com'],
    ['https://api.example.com?q={{ row.q }}', 'https://api.example.com'],
    ['=url`https://API.example.com/${row.id}`', 'https://api.example.com'],
  ])('is the same for every row in %s', (url, origin) => {
    expect(calling(url).calls).toEqual([{ nodeId: 'call', line: 6, origin, url }]);
  });

  it.each([
    '=row.url',
    '="https://api.example.com/"',
    "{{ 'https://api.example.com' }}/{{ row.id }}",
    "=url`${'https://api.example.com'}/${row.id}`",
    '=row.a ? url`https://a.example/` : url`https://b.example/`',
    '=`https://${row.host}/x`',
    'https://good.example@evil.example/',
    'https://good.example\\@evil.example/',
    'https:/good.example/',
    'https://g\u{43e}od.example/',
    'https://good.example\t.evil.example/',
    ' https://good.example/',
    'https://.good.example/',
    'ftp://good.example/',
  ])('is not taken for plain in %j', (url) => {
    expect(calling(url).calls).toMatchObject([{ origin: null }]);
  });

  it('is shown as it stands in the file where rows decide', () => {
    expect(calling('https://a.example/{{ row.a }}.{{row.b ?? 1}}/').calls[0]?.url).toBe(
      'https://a.example/{{ row.a }}.{{ row.b ?? 1 }}/',
    );
    expect(calling('= row.url').calls[0]?.url).toBe('=row.url');
  });
});

it('an access token is got from a host that belongs to the reach, with the secret', () => {
  const auth =
    ', auth: { oauth2: { tokenUrl: "https://login.example/token", clientId: us, secret: CLIENT } }';
  expect(reachKeys(calling('https://api.example.com/', auth))).toEqual([
    'https://api.example.com',
    'the secret CLIENT to https://api.example.com',
    'https://login.example',
    'the secret CLIENT to https://login.example',
  ]);
});

describe('the code of a workflow', () => {
  it('is every body and every expression but plain paths, with its place', () => {
    const { code } = reachOf(`
  - id: lead
    type: set
    when: row.a > 1
    values:
      path: "=row.tags[0]?.name"
      quoted: "=row['a b']"
      call: "=row.name.trim()"
      text: "{{ row.a }} and {{ row.a + 1 }}"
      deep: { list: [ "=[...row.a]" ] }
  - id: work
    type: code
    code: return 1;
    onError: { value: "=1 + 1" }`);
    expect(code.map(({ nodeId, line, keyPath, source }) => [nodeId, line, keyPath, source])).toEqual([
      ['lead', 6, 'when', 'row.a > 1'],
      ['lead', 6, 'values.call', 'row.name.trim()'],
      ['lead', 6, 'values.text', 'row.a + 1'],
      ['lead', 6, 'values.deep.list.0', '[...row.a]'],
      ['work', 15, 'code', 'return 1;'],
      ['work', 15, 'onError', '1 + 1'],
    ]);
  });

  it('is not what test rows or mocks look like', () => {
    const { workflow } = parseWorkflow(`rowbench: 1
id: spoof
nodes:
  - { id: input, type: input, testRows: [{ kind: expression, source: "evil()" }, { kind: body, source: "evil()", safeSource: "evil()" }] }
  - { id: result, type: output, fields: { a: 1 }, mock: { one: { kind: expression } } }
`);
    expect(workflow && findReach(workflow)).toEqual({ calls: [], workflows: [], code: [] });
  });
});

describe('what trust is given for', () => {
  const seen = reachKeys(calling('https://a.example/x'));

  it('names hosts and the secrets that they are sent', () => {
    expect(reachKeys(calling('https://a.example/x', ', auth: { secret: TOKEN }'))).toEqual([
      'https://a.example',
      'the secret TOKEN to https://a.example',
    ]);
  });

  it.each([
    ['another path of the same host', calling('https://a.example/y')],
    ['no calls', reachOf('')],
    ['other code', reachOf('  - { id: c, type: code, code: "return 2" }')],
  ])('covers %s', (_, now) => {
    expect(reachBeyond(now, seen)).toEqual([]);
  });

  it.each([
    ['another host', calling('https://b.example/x'), ['https://b.example']],
    ['the same host without encryption', calling('http://a.example/x'), ['http://a.example']],
    [
      'a secret',
      calling('https://a.example/x', ', auth: { secret: TOKEN }'),
      ['the secret TOKEN to https://a.example'],
    ],
    [
      'another workflow',
      reachOf('  - { id: w, type: workflow, workflow: other, row: {} }'),
      ['the workflow other'],
    ],
    ['a computed host', calling('=row.url'), ['a host computed at run time']],
  ])('does not cover %s', (_, now, further) => {
    expect(reachBeyond(now, seen)).toEqual(further);
  });

  it('covers no other text of a workflow that computes its hosts', () => {
    const computed = calling('=row.url');
    expect(reachBeyond(computed, reachKeys(computed))).toEqual(['a host computed at run time']);
  });
});
