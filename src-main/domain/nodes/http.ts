import { z } from 'zod';
import { isJsonObject } from '../../base/json-value.ts';
import type { Value } from '../expressions/value.ts';
import { answerForms } from '../upstream/body-form.ts';
import { statusSlot } from './failure-slots.ts';
import { defineNodeType, type NodeDoubt, cardText } from './node-type.ts';
import { nextRequestSlot, requestSlot } from './http-request.ts';
import { repeatSlot } from './repeat.ts';
import { callAuth } from './call-auth.ts';
import { sessionSlot } from './session-slot.ts';
import { shareSlot } from './share-slot.ts';
import { rateLimitSlot } from './slot-problems.ts';
import { writtenFields, type Fields } from './fields.ts';

const urlNotes = `### Values in a URL

Write the host into the file and the values of a row behind it:

\`\`\`yaml
url: 'https://api.example.com/customers/{{ row.id }}/orders'
\`\`\`

- **A value stays where it stands.** Each \`{{ }}\` is encoded as by \`encodeURIComponent\`, in the path and in a query
  alike: \`a/b?c\` arrives as \`a%2Fb%3Fc\`. Where the author wrote \`{{ encodeURIComponent(row.id) }}\`, it is not encoded
  again. \`query\` encodes in the same way and takes lists and line breaks too. It is appended to the query of the URL, which
  stays as the author wrote it (\`?flag&sig=%E9\`); \`repeat.next.query\` does the same, and removes parameters by name.
- **Some values fail the row** before any call: \`.\` and \`..\` as a whole segment of the path, a value that is missing or
  empty where it is a whole segment (\`/customers//orders\` is the path of something else), control characters such as a
  line break, and half a character. A node that may lack its value has \`when: row.id\`.
- **Values never choose the host.** A \`{{ }}\` in the scheme, host or port is an error of the file. One at the very start
  may give the host and the first part of the path if it reads neither \`row\` nor \`nodes\`, \`item\` or \`index\`; "/", "?" or
  "#" follows it.
- **An expression** such as \`=row.url\` or \`=nodes.page.body.next\` gives the whole URL, host included: what it may reach is
  for [grants and the hosts of secrets](upstream-calls.md) to say. It must be an http or https URL without a user name,
  \`.\` or \`..\` segments, control characters and backslashes in its path. \`validate\` warns of one that puts text together with values as
  they are. The tag \`url\` encodes values and refuses others as a \`{{ }}\` does:

\`\`\`yaml
url: '=url\`https://api.example.com/customers/\${row.id}/orders\`'
\`\`\`

- **A path with slashes** goes in with \`rawPath\`, and with it alone. The value is taken as it is, so it is encoded already
  where it must be; it has no \`?\`, \`#\`, backslash, \`.\` or \`..\` segment, and it stands in the path:

\`\`\`yaml
url: 'https://files.example.com/shared/{{ rawPath(row.path) }}'
\`\`\``;

const bodyNotes = `### Bodies and answers

\`bodyAs\` says how \`body\` is sent. Each form has its content type; a header of yours may say another one where that makes
sense, such as \`text/xml\` for text. A header that contradicts the body is an error of the file.

| \`bodyAs\` | \`body\` | content type |
| --- | --- | --- |
| none, or \`json\` | text as it is, anything else as JSON | \`text/plain\` or \`application/json\` |
| \`form\` | names with values: a list gives its name several times, null none | \`application/x-www-form-urlencoded\`, and no other |
| \`multipart\` | names with texts or files, or lists of them | \`multipart/form-data\` with a boundary, which no header may set |
| \`text\` | text | \`text/plain\` |
| \`base64\` | the Base64 of the bytes to send | \`application/octet-stream\` |

\`\`\`yaml
request:
  method: POST
  url: https://api.example.com/scans
  bodyAs: multipart
  body:
    title: =row.title
    scan: { file: scan.pdf, type: application/pdf, base64: =nodes.document.body }
\`\`\`

A body has 10 MB at most. The boundary depends on the content alone, so that recorded requests are found again. In a cassette,
bytes that are no text are Base64.

\`answerAs\` says how the body of the answer is read. \`text\` reads XML and text in the character set that the answer names;
\`base64\` keeps binary data, to send it on or to give it to the client. An empty or blank body of JSON, as with the status
204, is an empty text, and null with \`answerAs: json\`. The body of an error (\`error.body\` in \`onError\`) is read as without
\`answerAs\`.`;

const repeatNotes = `### Pages and jobs

\`repeat\` makes a call again while an expression over its answer holds. \`previous\` is the last answer as the node's value would
be, and \`round\` the number of the call, from 1: of the answered one in \`while\`, \`wait\` and \`collect\`, of the one to be made
in \`next\`.

\`\`\`yaml
- id: orders # all pages, by a cursor
  type: http
  request:
    url: https://api.example.com/orders
    query: { limit: 100 }
  repeat:
    while: previous.body.next != null
    next: { query: { cursor: =previous.body.next } }
    collect: previous.body.orders
    max: 50

- id: report # asked for every 5 seconds until it is ready
  type: http
  request: { url: 'https://api.example.com/reports/{{ row.id }}' }
  repeat:
    while: previous.body.state == 'running'
    wait: 5s
\`\`\`

- Pages by number: \`next: { query: { page: =round } }\`. By a link: \`next: { url: =previous.body.links.next }\`.
- A next URL must keep the scheme, host and port of the first one. Any other is refused, so that the node reaches only what was
  approved.
- After \`max\` calls the node fails, and says so. With \`atMax: stop\` it keeps what it has.
- \`onError\` gives a value in place of one answer, which \`while\` then reads. A failure of \`repeat\` itself, such as too many
  calls, is replaced as a whole. Errors name the call: \`call 3: HTTP 500 …\`.
- A mock is the value of the whole node: it is not repeated.`;

export const httpNode = defineNodeType({
  type: 'http',
  title: 'HTTP call',
  summary: 'Calls a service over HTTP. Other rows go on meanwhile.',
  value:
    '`{ status, headers, body }`: names of headers in lower case, the body parsed where it is JSON and text otherwise, or as `answerAs` says; after a redirect also `url`, the final address (`nodes.page.url ?? row.url`)',
  example: `- id: company
  type: http
  request:
    url: https://api.example.com/companies
    query: { domain: "=row.email.split('@')[1]" }
  auth: { secret: CRM_TOKEN }
  expect: [404]
  retry: { attempts: 3, delay: 500ms, backoff: 2, on: [429, 5xx, network] }
  timeout: 10s`,
  notes: `${urlNotes}

${bodyNotes}

${repeatNotes}`,
  intents: [
    {
      title: 'HTTP request',
      keywords: 'api request rest get curl call service fetch',
      newKeys: { request: { url: 'https://api.example.com/' } },
    },
    {
      title: 'Pages of a list',
      summary: 'Calls a service again for each further page, and gives the entries of all pages.',
      keywords: 'api pagination cursor next all paging',
      newKeys: {
        request: { url: 'https://api.example.com/orders' },
        repeat: {
          while: 'previous.body.next != null',
          next: { query: { cursor: '=previous.body.next' } },
          collect: 'previous.body.orders',
        },
      },
    },
    {
      title: 'Wait for a job',
      summary: 'Asks a service again until a job is done.',
      keywords: 'api poll until ready status report',
      newKeys: {
        request: { url: 'https://api.example.com/jobs/1' },
        repeat: { while: "previous.body.state == 'running'", wait: '5s' },
      },
    },
    {
      title: 'Send to a webhook',
      summary: 'Posts the row to a URL.',
      keywords: 'webhook post notify slack api',
      newKeys: { request: { method: 'POST', url: 'https://hooks.example.com/', body: '=row' } },
    },
  ],
  mainKeys: ['url', 'request'],
  faultSearch: () => 'name',
  samples: ({ answerAs }) => [
    { status: 200, headers: {}, body: answerAs === 'text' || answerAs === 'base64' ? '' : undefined },
  ],
  mockTemplate: { status: 200, body: {} },
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: true,
  card: ({ request }) =>
    isJsonObject(request) ? `${cardText(request['method']) || 'GET'} ${cardText(request['url'])}` : '',
  config: (slots) =>
    z.strictObject({
      request: requestSlot(slots).describe('The request to send.'),
      auth: callAuth(slots).exactOptional().meta({ title: 'Sign in' }),
      limit: rateLimitSlot.exactOptional().meta({ title: 'Rate' }),
      session: sessionSlot.exactOptional().meta({ title: 'Cookies' }),
      share: shareSlot.exactOptional().meta({ title: 'Share' }),
      expect: z
        .array(statusSlot)
        .exactOptional()
        .meta({ title: 'Accept too' })
        .describe(
          'Statuses from 400 on that are answers like others: a status (`404`) or all of a class (`4xx`, `5xx`). Without it they fail the node.',
        ),
      repeat: repeatSlot(slots, nextRequestSlot)
        .exactOptional()
        .meta({ title: 'Again while' })
        .describe(
          'Makes the call again and again: for the pages of a list, or until a job is done. `retry` and `onError` apply to each call, `timeout` to each attempt.',
        ),
      answerAs: z
        .enum(answerForms)
        .exactOptional()
        .meta({ title: 'Read answer as' })
        .describe(
          'How the body of the answer is read: `json`, whatever its content type says; `text`, in the character set that it names; `base64`, for binary data such as a PDF. Without it: JSON where the content type says so, and otherwise UTF-8 text.',
        ),
    }),
  action: { kind: 'call', target: ({ request, auth }) => ({ url: request.url, auth }) },
  doubts: ({ request: { url, headers }, repeat: { next } = {} }) => [
    ...urlDoubts(url, ['request', 'url']),
    ...headerDoubts(headers, ['request', 'headers']),
    ...(next?.url === undefined ? [] : urlDoubts(next.url, ['repeat', 'next', 'url'])),
    ...headerDoubts(next?.headers, ['repeat', 'next', 'headers']),
  ],
});

const headerDoubts = (headers: Fields | undefined, path: NodeDoubt['path']): NodeDoubt[] =>
  writtenFields(headers).flatMap(([name, value]) =>
    name === 'authorization' && value.kind === 'literal'
      ? [{ message: 'A secret does not belong in a file: use "auth"', path }]
      : [],
  );

/** Warnings about a URL that are certain before a row fills it in. */
export function urlDoubts(url: Value, path: NodeDoubt['path']): NodeDoubt[] {
  const doubt = url.kind === 'expression' ? url.inUrl?.doubt : undefined;
  if (doubt !== undefined) return [{ message: messageOf[doubt], path }];
  const start = url.kind === 'template' ? url.parts[0] : url.kind === 'literal' ? url.value : undefined;
  if (typeof start !== 'string' || /^https?:\/\//i.test(start)) return [];
  return [{ message: 'Expected a URL that begins with http:// or https://', path }];
}

const messageOf = {
  unencoded:
    'This URL takes values of the row as they are: one with "/", "?" or ".." changes where the call goes. Write url`https://api.example.com/${row.id}`, which encodes values, or encodeURIComponent(row.id)',
  encodedTwice: 'url`…` encodes each value: leave out encodeURIComponent, or the value is encoded twice',
} as const;
