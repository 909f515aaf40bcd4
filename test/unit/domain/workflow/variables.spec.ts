import { describe, expect, it } from 'vitest';
import { findReach } from '../../../../src-main/domain/trust/reach.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

const fileWith = (vars: string, value: string): string => `rowbench: 1
id: test
${vars}
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { got: '${value}' } }
`;

const problemsIn = (text: string): readonly string[] =>
  parseWorkflow(text).issues.map(({ line, message }) => `${line}: ${message}`);

/** The origins that a call of this URL reaches. */
function originsOf(vars: string, url: string): readonly (string | null)[] {
  const text = fileWith(vars, '=nodes.call').replace(
    '  - { id: out',
    () => `  - { id: call, type: http, request: { url: ${JSON.stringify(url)} } }\n  - { id: out`,
  );
  const { workflow, issues } = parseWorkflow(text);
  if (workflow === undefined) throw new Error(issues.map(({ message }) => message).join('; '));
  return findReach(workflow).calls.map(({ origin }) => origin);
}

describe('the variables of a workflow', () => {
  it('are read with their values and lines', () => {
    const text = fileWith(
      'vars:\n  base: https://a.example\n  rates: { EUR: [1, null] }\n  tenant: null',
      '=vars.base',
    );
    expect(parseWorkflow(text)).toMatchObject({
      issues: [],
      workflow: {
        vars: [
          { name: 'base', value: 'https://a.example', line: 4 },
          { name: 'rates', value: { EUR: [1, null] }, line: 5 },
          { name: 'tenant', value: null, line: 6 },
        ],
      },
    });
  });

  it.each([
    ['=vars.bse', '6: There is no variable "bse"; did you mean vars.base?'],
    ['{{ vars.other }}', '6: There is no variable "other": the "vars" of the file name them all'],
    ['=base', '6: "base" is a variable: write vars.base'],
    [
      '=vars',
      '6: "vars" cannot be used as a whole: write vars.<name>, because names that do not exist are found before the run',
    ],
    [
      '=vars[row.key]',
      '6: vars[…] cannot be worked out before the run: write vars.<name>, because names that do not exist are found before the run',
    ],
    [
      '=(() => { const { bse } = vars; return bse; })()',
      '6: There is no variable "bse"; did you mean vars.base?',
    ],
  ])('are known before a run: %s', (value, problem) => {
    expect(problemsIn(fileWith('vars: { base: 1 }', value))).toEqual([problem]);
  });

  it.each([
    '=vars.base',
    '=vars["base"].length',
    '=(() => { const { base } = vars; return base; })()',
    '=((vars) => vars.x)(row)',
  ])('can be read as %s', (value) => {
    expect(problemsIn(fileWith('vars: { base: x }', value))).toEqual([]);
  });

  it('are reported as missing in a file without any', () => {
    expect(problemsIn(fileWith('', '=vars.base'))).toEqual([
      '6: There is no variable "base": the "vars" of the file name them all',
    ]);
  });

  it.each([
    ['[1]', 'Expected names with values'],
    ['{ a-b: 1 }', 'A variable has a name of 1 to 64 letters, digits and "_", and begins with a letter'],
    [
      '{ __proto__: 1 }',
      'A variable has a name of 1 to 64 letters, digits and "_", and begins with a letter',
    ],
    ['{ a: =row.x }', 'A variable has a literal value: "=" and "{{ }}" stand in nodes only'],
    ['{ a: [{ b: "{{ row.x }}" }] }', 'A variable has a literal value: "=" and "{{ }}" stand in nodes only'],
    [
      `{ a: ${'x'.repeat(20_000)} }`,
      'Expected values of at most 20000 characters together: a table can hold more, for lookup nodes',
    ],
  ])('are refused as %.40s', (vars, message) => {
    expect(parseWorkflow(fileWith(`vars: ${vars}`, '=1')).issues.map((issue) => issue.message)).toEqual([
      message,
    ]);
  });
});

describe('a variable in a URL', () => {
  it.each([
    ['{{ vars.base }}/x/{{ row.id }}', 'https://a.example'],
    ['{{ vars.base }}', 'https://a.example'],
    ['=vars.base', 'https://a.example'],
    ['https://{{ vars.host }}/{{ vars.host }}', 'https://b.example'],
    ['http://localhost:{{ vars.port }}/x', 'http://localhost:8080'],
    ['{{ vars.tenant }}/x', null],
    ['=vars.base + row.path', null],
  ])('gives its host before a run: %s', (url, origin) => {
    const vars = 'vars: { base: "https://a.example", host: b.example, port: 8080, tenant: null }';
    expect(originsOf(vars, url)).toEqual([origin]);
  });

  it('does not let a row go on with the host', () => {
    expect(() => originsOf('vars: { base: "https://a.example" }', '{{ vars.base }}{{ row.id }}')).toThrow(
      'A value may not be part of the host',
    );
  });

  it('keeps its place in the path, where it is encoded', () => {
    const text = fileWith('vars: { part: a/b }', '=nodes.call').replace(
      '  - { id: out',
      '  - { id: call, type: http, request: { url: "https://a.example/{{ vars.part }}" } }\n  - { id: out',
    );
    expect(parseWorkflow(text).workflow?.nodes[1]?.config).toMatchObject({
      request: { url: { kind: 'template', parts: ['https://a.example/', { source: 'vars.part' }] } },
    });
  });
});

describe('a variable in the description of an OAuth 2 client', () => {
  const client = (tokenUrl: string, clientId = 'us') => {
    const vars =
      'vars: { login: "https://login.example", port: 8443, client: "us & them", tenant: null, list: [1], bad: "a b" }';
    const auth = `{ oauth2: { tokenUrl: ${JSON.stringify(tokenUrl)}, clientId: ${JSON.stringify(clientId)}, secret: CLIENT } }`;
    return fileWith(vars, '=nodes.call').replace(
      '  - { id: out',
      () =>
        `  - { id: call, type: http, request: { url: "https://a.example" }, auth: ${auth} }\n  - { id: out`,
    );
  };

  it.each([
    ['{{ vars.login }}/token', 'https://login.example/token'],
    ['{{ vars.login }}:{{ vars.port }}/token', 'https://login.example:8443/token'],
    ['=vars.login', 'https://login.example'],
  ])('stands in the token URL: %s', (written, tokenUrl) => {
    const { workflow } = parseWorkflow(client(written, '{{ vars.client }}'));
    expect(workflow?.nodes[1]?.config).toMatchObject({
      auth: { oauth2: { tokenUrl, clientId: 'us & them' } },
    });
    expect(workflow && findReach(workflow).calls.map(({ origin }) => origin)).toEqual([
      'https://a.example',
      new URL(tokenUrl).origin,
    ]);
  });

  it('may have its value in profiles alone', () => {
    const { workflow, issues } = parseWorkflow(client('{{ vars.tenant }}/token'));
    expect(issues).toEqual([]);
    expect(workflow && findReach(workflow).calls.map(({ origin }) => origin)).toEqual([
      'https://a.example',
      null,
    ]);
  });

  it.each([
    ['{{ vars.nope }}/token', 'There is no variable "nope"'],
    ['{{ vars.list }}/token', 'is the same for every row'],
    ['{{ row.login }}/token', 'is the same for every row'],
    ['=vars.login + "/token"', 'is the same for every row'],
    ['{{ vars.login }}/{{ vars.bad }}', 'Expected a URL that begins with http:// or https://'],
  ])('is refused with its line: %s', (written, message) => {
    expect(problemsIn(client(written))).toEqual([expect.stringMatching(`^6: .*${message}`)]);
  });
});
