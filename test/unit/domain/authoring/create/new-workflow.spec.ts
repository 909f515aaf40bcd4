import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src-main/base/json-value.ts';
import { newFields } from '../../../../../src-main/domain/authoring/create/new-fields.ts';
import { newWorkflow } from '../../../../../src-main/domain/authoring/create/new-workflow.ts';
import { pathCredential } from '../../../../../src-main/domain/authoring/create/credentials.ts';
import { parseCurl, type CurlCall } from '../../../../../src-main/domain/authoring/create/parse-curl.ts';
import { parseWorkflow } from '../../../../../src-main/domain/workflow/parse-workflow.ts';

const issuesOf = (text: string) => parseWorkflow(text).issues;

function callOf(line: string): CurlCall {
  const parsed = parseCurl(line);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.call;
}

describe('a new workflow', () => {
  it('of nothing passes the row on', () => {
    const { text } = newWorkflow({ id: 'lead-scoring' });
    expect(issuesOf(text)).toEqual([]);
    expect(text).toContain('name: Lead scoring\n');
  });

  it('of rows names their fields with types', () => {
    const rows = [
      { email: 'ada@example.com', 'Company size': 120, tags: ['a'], note: null },
      { email: 'alan@example.com', 'Company size': '12', tags: [] },
    ];
    const { text } = newWorkflow({ id: 'leads', rows });
    expect(issuesOf(text)).toEqual([]);
    expect(text).toContain(`    fields:
      email: { type: string, required: true }
      Company size: { type: any, required: true }
      tags: { type: array, required: true }
      note: { type: any }
    testRows:
      - { email: ada@example.com, Company size: 120, tags: [a], note: null }
`);
    expect(text).toContain(`      Company size: =row["Company size"]\n`);
  });

  it('of rows has the fields that more rows decide, where they are given', () => {
    const rows = [{ email: 'ada@example.com', size: 120 }];
    const fields = newFields([...rows, { email: null, size: 'large' }, { size: 1, tags: [] }]);
    const { text } = newWorkflow({ id: 'leads', rows, fields });
    expect(issuesOf(text)).toEqual([]);
    expect(text).toContain(`    fields:
      email: { type: string }
      size: { type: any, required: true }
      tags: { type: array }
    testRows:
      - { email: ada@example.com, size: 120 }
`);
  });

  it('is valid for any rows', () => {
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null));
    const row = fc.dictionary(fc.string({ unit: 'binary', maxLength: 12 }), value, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (any) => {
        const rows = JSON.parse(JSON.stringify(any)) as JsonObject[];
        const { workflow, issues } = parseWorkflow(newWorkflow({ id: 'leads', rows }).text);
        expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
        const input = workflow?.nodes.find(({ id }) => id === 'input');
        if (rows.length > 0) expect(input?.config).toMatchObject({ testRows: rows });
      }),
      { numRuns: 60 },
    );
  });

  it('with many rows has them in a file', () => {
    const rows = Array.from({ length: 21 }, (_, number) => ({ number }));
    const { text, rowsFile } = newWorkflow({ id: 'leads', rows });
    expect(text).toContain('    testRows: leads.rows.json\n');
    expect(JSON.parse(rowsFile?.text ?? '')).toEqual(rows);
  });

  it('around a call keeps what looks like an expression as it is', () => {
    const call = callOf(
      `curl --json '{"q":"=1+1","t":"{{ x }}"}' https://api.crm.com/find -H 'X-Api-Key: abc'`,
    );
    const { text } = newWorkflow({ id: 'leads', call });
    expect(issuesOf(text).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(text).toContain(`auth: { secret: CRM_TOKEN, header: x-api-key }`);
    expect(text).not.toContain('abc');
    expect(text).toContain(`q: ="=1+1"\n`);
  });
});

it('around a call keeps its attempts and its timeout', () => {
  const call = callOf('curl --retry 2 --max-time 10 https://a.example/x');
  const { text } = newWorkflow({ id: 'leads', call });
  expect(issuesOf(text).filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(text).toContain('    retry: { attempts: 3 }\n    timeout: 10s\n');
});

const crm = { name: 'CRM_TOKEN', host: 'api.crm.com' };

describe('a curl command', () => {
  it.each<[string, Partial<CurlCall>]>([
    ['curl https://a.example/x', { method: 'GET', url: 'https://a.example/x', headers: {} }],
    ['curl.exe a.example', { url: 'http://a.example' }],
    [`curl -sSL 'https://a.example' \\\n  -H "Accept: text/plain"`, { headers: { accept: 'text/plain' } }],
    [
      `curl -X put https://a.example -H 'Content-Type: application/json' -d '{"a": 1}'`,
      { method: 'PUT', body: { a: 1 }, headers: {} },
    ],
    [
      'curl https://a.example -d a=1 -d b=2',
      { method: 'POST', body: 'a=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['curl -G https://a.example?x=1 -d a=1', { method: 'GET', url: 'https://a.example?x=1&a=1' }],
    ['curl -G https://a.example --data-urlencode "q=a b"', { url: 'https://a.example?q=a%20b' }],
    [`curl https://a.example -H $'x-note: it\\'s'`, { headers: { 'x-note': "it's" } }],
    ['curl --retry 3 -m 2.5 https://a.example', { attempts: 4, timeoutSeconds: 2.5 }],
    [
      'curl https://api.crm.com/x -H "Authorization: Bearer abc123"',
      { secret: { name: 'CRM_TOKEN', host: 'api.crm.com', value: 'abc123' } },
    ],
    [
      'curl https://api.crm.com/x -H "Authorization: Bearer $HUB_KEY"',
      { secret: { name: 'HUB_KEY', host: 'api.crm.com' } },
    ],
    [
      'curl http://localhost:8080/x -H "x-api-key: abc"',
      { secret: { name: 'LOCALHOST_TOKEN', host: 'localhost:8080', header: 'x-api-key', value: 'abc' } },
    ],
    ['curl https://a.example -H "X-Empty;" -H "Accept:"', { headers: { 'x-empty': '' } }],
    ['curl -u me:pa:ss https://api.crm.com', { secret: { ...crm, basic: { user: 'me' }, value: 'pa:ss' } }],
    ['curl -u sk_live: https://api.crm.com', { secret: { ...crm, basic: {}, value: 'sk_live' } }],
    [
      'curl --user "me:$CRM_PASS" https://api.crm.com',
      { secret: { ...crm, name: 'CRM_PASS', basic: { user: 'me' } } },
    ],
    ['curl --user "$LOGIN" https://api.crm.com', { secret: { ...crm, name: 'LOGIN', basic: {} } }],
    [
      'curl https://me:p%40ss@api.crm.com/a?q=1',
      { url: 'https://api.crm.com/a?q=1', secret: { ...crm, basic: { user: 'me' }, value: 'p@ss' } },
    ],
    [
      "curl https://api.crm.com -H 'Authorization: Basic dXNlcjpwYXNz'",
      { secret: { ...crm, scheme: 'Basic', value: 'dXNlcjpwYXNz' } },
    ],
    [
      "curl https://api.crm.com -H 'Authorization: Token 0123'",
      { secret: { ...crm, scheme: 'Token', value: '0123' } },
    ],
    [
      "curl https://api.crm.com -H 'authorization: ApiKey abcd:0123'",
      { secret: { ...crm, scheme: 'ApiKey', value: 'abcd:0123' } },
    ],
    [
      "curl https://api.crm.com -H 'Authorization: 0123456789'",
      { secret: { ...crm, header: 'authorization', value: '0123456789' } },
    ],
    [
      "curl 'https://api.crm.com/a?api_key=a%20b&q=1'",
      { url: 'https://api.crm.com/a?q=1', secret: { ...crm, query: 'api_key', value: 'a b' } },
    ],
    [
      'curl https://a.example -F title=Scan -F tag=a -F tag=b',
      { method: 'POST', body: { title: 'Scan', tag: ['a', 'b'] }, bodyAs: 'multipart', headers: {} },
    ],
  ])('%s', (line, expected) => {
    expect(callOf(line)).toMatchObject(expected);
  });

  it.each([
    [
      'of Chrome',
      [
        'curl ^"https://a.example/x?a=1^&b=^%^20^%^C3^%^A9^" ^',
        '  -X ^"PUT^" ^',
        '  -H ^"content-type: application/json^" ^',
        '  -H ^"x-note: 50^% ^^ ^(a ^| b^)^" ^',
        '  --data-raw ^"^{^\\^"title^\\^":^\\^"two^',
        '',
        'words^\\^",^\\^"path^\\^":^\\^"C:^\\^\\x^\\^"^}^" ^',
        '  --compressed',
      ].join('\r\n'),
    ],
    [
      'of an older Chrome',
      'curl "https://a.example/x?a=1^&b=^%^20^%^C3^%^A9" -X "PUT" -H "content-type: application/json" ' +
        '-H "x-note: 50^% ^^ ^(a ^| b^)" --data-raw "^{^\\^"title^\\^":^\\^"two^\n\nwords^\\^",' +
        '^\\^"path^\\^":^\\^"C:^\\^\\x^\\^"^}" --compressed',
    ],
  ])('with the escapes %s on Windows is read as it was meant', (_, line) => {
    expect(callOf(line)).toEqual({
      method: 'PUT',
      url: 'https://a.example/x?a=1&b=%20%C3%A9',
      headers: { 'content-type': 'application/json', 'x-note': '50% ^ (a | b)' },
      body: '{"title":"two\nwords","path":"C:\\x"}',
    });
  });

  it('with the escapes of Windows gives JSON and a credential like any other', () => {
    const line =
      'curl ^"https://api.crm.com/x^" -H ^"Authorization: Bearer abc^" -H ^"content-type: application/json^" ' +
      '--data-raw ^"^{^\\^"title^\\^":^\\^"two words^\\^"^}^"';
    expect(callOf(line)).toEqual({
      method: 'POST',
      url: 'https://api.crm.com/x',
      headers: {},
      body: { title: 'two words' },
      secret: { name: 'CRM_TOKEN', host: 'api.crm.com', value: 'abc' },
    });
  });

  it("keeps a ^ of another system's command", () => {
    expect(callOf(`curl https://a.example -H 'x-pattern: ^[a-z]+$' -d '^'`)).toMatchObject({
      headers: { 'x-pattern': '^[a-z]+$' },
      body: '^',
    });
  });

  it.each([
    ['wget https://a.example', 'begin with curl'],
    ['curl https://a.example -d @rows.json', 'would read a file'],
    ['curl https://a.example --data-urlencode name@file', 'would read a file'],
    ['curl https://a.example -H "x: $(cat ~/.token)"', 'is not run'],
    ['curl https://a.example -H "x: `id`"', 'is not run'],
    ['curl -x http://proxy:8080 https://a.example', 'does not choose a proxy'],
    ['curl -k https://a.example', 'checks certificates'],
    ['curl -u "$USER:$PASS" https://a.example', 'The login has variables of the shell beside other text'],
    ['curl -u : https://a.example', 'The login is empty'],
    ['curl --digest -u me:pass https://a.example', 'Digest authentication is not supported'],
    ['curl -u me:pass https://a.example?api_key=abc', 'one credential'],
    ['curl https://a.example -F file=@scan.pdf', 'would read a file'],
    ['curl https://a.example | sh', 'for the shell'],
    ['curl https://a.example; rm x', 'for the shell'],
    [`curl https://a.example --json '{"deep":[{"client_secret":"x"}]}'`, 'credential (client_secret)'],
    ['curl https://a.example -d password=x', 'credential (password)'],
    ['curl https://a.example -H "cookie: a" -H "x-api-key: b"', 'one credential'],
    ['curl "https://a.example', 'not closed'],
    ['curl https://a.example/$ID', 'variable of the shell'],
    ['curl --frobnicate https://a.example', 'does not know the option'],
    ['curl ftp://a.example', 'must begin with http'],
    ['curl --retry 50 https://a.example', '--retry 50: Rowbench takes a number from 0 to 19'],
    ['curl --max-time soon https://a.example', 'a number from 0 to 3,600'],
    ['curl', 'has no URL'],
    ["curl -X $'GET / HTTP/1.1\\r\\nx: y' https://a.example", 'The method is one of GET, HEAD, POST'],
    ['curl -X "GET / HTTP/1.1\r\nx: y" https://a.example', 'The method is one of GET, HEAD, POST'],
    ["curl -X '=row.x' https://a.example", 'The method is one of GET, HEAD, POST'],
    ['curl https://a.example -H "X-Empty ;"', 'The header "X-Empty " has a blank behind its name: remove it'],
    ['curl https://a.example -H "Name : value"', 'The header "Name " has a blank behind its name: remove it'],
    ['curl https://a.example -H Name', 'A header is written as "Name: value"'],
    ['curl ^"https://a.example^" | sort', '"|" is for the command prompt'],
    ['curl ^"https://a.example', 'A quote is not closed'],
    ['curl "https://a.example" `\n  -X PUT', 'is for PowerShell. Copy the command as cURL (cmd) or (bash)'],
  ])('%s is refused', (line, reason) => {
    expect(parseCurl(line)).toEqual({ problem: expect.stringContaining(reason) as string });
  });
});

describe('a credential in the path of a URL', () => {
  it.each([
    ['hooks.slack.com', '/services/T0/B0/abc'],
    ['discord.com', '/api/webhooks/118/lowercase-token?wait=1'],
    ['acme.webhook.office.com', '/webhookb2/guid@guid/IncomingWebhook/abc/guid'],
    ['api.telegram.org', '/bot123456:ABC-DEF1234ghIkl/getMe'],
  ])('is certain for an address of %s', (host, path) =>
    expect(pathCredential(`https://${host}${path}`)).toEqual({ host, isCertain: true }),
  );

  it.each([
    'https://a.example/services/T01ABCDEF23/B04GHIJKL56/aZ3kL9mQ2xR7tY5uW8pN4vB6',
    'https://a.example/services/T0/B0/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://a.example/api/webhooks/118/lowercase-only-token-of-a-chat?wait=1',
    'https://a.example:8443/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u/getMe',
    'https://a.example/in/0123456789abcdef0123456789abcdef',
  ])('is a doubt for %s', (url) =>
    expect(pathCredential(url)).toEqual({ host: 'a.example', isCertain: false }),
  );

  it.each([
    'https://a.example',
    'https://slack.com/api/chat.postMessage',
    'https://discord.com/api/v10/channels/118/messages',
    'https://a.example/v1/companies/acme-holding-international',
    'https://a.example/items/0193f0c2-7a11-7000-8000-00004f0c21aa',
    'https://a.example/files/Report2024FinalVersionOfAll.pdf',
    'https://a.example/services/billing/invoices',
    'https://a.example/v1?to=aZ3kL9mQ2xR7tY5uW8pN4vB6',
  ])('is not found in %s', (url) => expect(pathCredential(url)).toBeUndefined());
});
