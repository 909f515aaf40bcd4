// Eight workflows as public templates have them, written with the keys that were made for them and without: each is as short or
// shorter, gives the same outputs, and makes the calls that are counted here.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { upstreamOfRows } from '../../../src-main/services/runs/upstreams.ts';
import { testExecution, testPool } from '../../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../../builders/workflow-set.ts';

type Template = {
  readonly title: string;
  /** The workflow, and those that it calls. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly rows: readonly object[];
  readonly answer: Parameters<typeof scriptedUpstream>[0];
  readonly calls: { readonly before: number; readonly after: number };
  readonly outputs: readonly object[];
};

const rate: Template['answer'] = ({ url }) => jsonAnswer({ rate: url.at(-1) });
const chat = (content: string) => jsonAnswer({ choices: [{ message: { role: 'assistant', content } }] });
const model = `type: llm, baseUrl: "http://m.example/v1", model: m, messages: [{ role: user, content: "{{ row.text }}" }]`;

const leads = (share: string): string =>
  workflowOf(
    'leads',
    `
  - { id: domain, type: set, values: { name: "=row.email.split('@')[1].toLowerCase()" } }
  - { id: company, type: http, ${share} request: { url: "https://crm.example/companies/{{ nodes.domain.name }}" } }`,
    '{ email: =row.email, size: =nodes.company.body.size }',
  );

const currencies = (share: string): string =>
  workflowOf(
    'currencies',
    `  - { id: rate, type: http, ${share} request: { url: "https://fx.example/{{ row.currency }}" } }`,
    '{ rate: =nodes.rate.body.rate }',
  );

const mails = (share: string): string =>
  workflowOf(
    'mails',
    `  - { id: checks, type: http, ${share} each: =row.mails, concurrency: 3, request: { url: "https://v.example/{{ item }}" } }`,
    '{ valid: "=nodes.checks.map((check) => check.body.valid)" }',
  );

const templates: readonly Template[] = [
  {
    title: 'leads: the same company is looked up once',
    before: [leads('')],
    after: [leads('share: run,')],
    rows: ['ada@acme.example', 'bob@bolt.example', 'cy@ACME.example', 'ada@acme.example'].map((email) => ({
      email,
    })),
    answer: ({ url }) => jsonAnswer({ size: url.includes('acme') ? 20 : 7 }),
    calls: { before: 4, after: 2 },
    outputs: [
      { email: 'ada@acme.example', size: 20 },
      { email: 'bob@bolt.example', size: 7 },
      { email: 'cy@ACME.example', size: 20 },
      { email: 'ada@acme.example', size: 20 },
    ],
  },
  {
    title: 'invoices: a model that puts its JSON into a fence',
    before: [
      workflowOf(
        'invoices',
        `
  - { id: ask, ${model} }
  - id: invoice
    type: code
    code: |
      const text = nodes.ask.text.replace(/<think>[\\s\\S]*<\\/think>/, '');
      const fence = /\`\`\`\\w*\\n([\\s\\S]*?)\`\`\`/.exec(text);
      return JSON.parse(fence ? fence[1] : text);`,
        '{ total: =nodes.invoice.total }',
      ),
    ],
    after: [
      workflowOf(
        'invoices',
        `  - { id: invoice, ${model}, json: true }`,
        '{ total: =nodes.invoice.json.total }',
      ),
    ],
    rows: [{ text: 'one' }, { text: 'two' }, { text: 'three' }],
    answer: ({ body = '' }) =>
      chat(
        body.includes('one')
          ? '{ "total": "1.00" }'
          : body.includes('two')
            ? '```json\n{ "total": "2.00" }\n```'
            : '<think>{ "total": 0 }</think>{ "total": "3.00" }',
      ),
    calls: { before: 3, after: 3 },
    outputs: [{ total: '1.00' }, { total: '2.00' }, { total: '3.00' }],
  },
  {
    title: 'triage: urgent mails become tickets with a key of their own',
    before: [
      workflowOf(
        'triage',
        `
  - { id: sort, ${model} }
  - { id: sorted, type: set, values: { urgent: "=JSON.parse(nodes.sort.text).urgent" } }
  - id: ticket
    type: http
    when: nodes.sorted.urgent
    request: { method: POST, url: "https://d.example/tickets", body: { text: =row.text, dedupe: "mail-{{ row.id }}" } }`,
        '{ ticket: "=nodes.ticket?.body.id ?? null" }',
      ),
    ],
    after: [
      workflowOf(
        'triage',
        `
  - { id: sort, ${model}, json: true }
  - id: ticket
    type: http
    when: nodes.sort.json.urgent
    request: { method: POST, url: "https://d.example/tickets", body: =row.text, headers: { Idempotency-Key: "mail-{{ row.id }}" } }`,
        '{ ticket: "=nodes.ticket?.body.id ?? null" }',
      ),
    ],
    rows: [
      { id: 1, text: 'the shop is down' },
      { id: 2, text: 'thanks' },
    ],
    answer: ({ url, body = '' }) =>
      url.startsWith('http://m') ? chat(`{ "urgent": ${body.includes('down')} }`) : jsonAnswer({ id: 'T-1' }),
    calls: { before: 3, after: 3 },
    outputs: [{ ticket: 'T-1' }, { ticket: null }],
  },
  {
    title: 'batches: a loop over two nodes in the same file',
    before: [
      workflowOf(
        'batches',
        '  - { id: sent, type: workflow, workflow: send, each: "chunk(row.ids, 2)", row: { ids: =item } }',
        '{ ok: "=nodes.sent.every((batch) => batch.ok)" }',
      ),
      workflowOf(
        'send',
        `
  - { id: post, type: http, request: { method: POST, url: "https://b.example/", body: =row.ids } }
  - { id: state, type: http, request: { url: "https://b.example/{{ nodes.post.body.job }}" } }`,
        "{ ok: =nodes.state.body.state === 'done' }",
      ),
    ],
    after: [
      workflowOf(
        'batches',
        `
  - id: sent
    type: workflow
    each: chunk(row.ids, 2)
    row: { ids: =item }
    nodes:
      - { id: post, type: http, request: { method: POST, url: "https://b.example/", body: =row.ids } }
      - { id: state, type: http, request: { url: "https://b.example/{{ nodes.post.body.job }}" } }
      - { id: out, type: output, fields: { ok: =nodes.state.body.state === 'done' } }`,
        '{ ok: "=nodes.sent.every((batch) => batch.ok)" }',
      ),
    ],
    rows: [{ ids: [1, 2, 3, 4, 5] }],
    answer: ({ method }) => jsonAnswer(method === 'POST' ? { job: 'j1' } : { state: 'done' }),
    calls: { before: 6, after: 6 },
    outputs: [{ ok: true }],
  },
  {
    title: 'e-mails: an address in several lists is checked once',
    before: [mails('')],
    after: [mails('share: run,')],
    rows: [{ mails: ['a@x.example', 'b@x.example', 'a@x.example'] }, { mails: ['b@x.example'] }],
    answer: ({ url }) => jsonAnswer({ valid: url.endsWith('a%40x.example') }),
    calls: { before: 4, after: 2 },
    outputs: [{ valid: [true, false, true] }, { valid: [false] }],
  },
  {
    title: 'currencies: three calls for eight rows',
    before: [currencies('')],
    after: [currencies('share: run,')],
    rows: ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b'].map((currency) => ({ currency })),
    answer: rate,
    calls: { before: 8, after: 3 },
    outputs: ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b'].map((each) => ({ rate: each })),
  },
  {
    title: 'URLs: where a short link leads, without a service that follows it',
    before: [
      workflowOf(
        'urls',
        `
  - { id: asked, type: http, request: { method: POST, url: "https://expand.example/", body: { code: =row.code } } }
  - { id: job, type: http, request: { url: "https://expand.example/{{ nodes.asked.body.id }}" } }`,
        '{ to: =nodes.job.body.to }',
      ),
    ],
    after: [
      workflowOf(
        'urls',
        '  - { id: link, type: http, request: { url: "https://s.example/{{ row.code }}", redirect: answer } }',
        '{ to: =nodes.link.headers.location }',
      ),
    ],
    rows: [{ code: 'a' }],
    answer: ({ method, redirect }) =>
      redirect === 'answer'
        ? jsonAnswer(null, { status: 302, headers: [['location', 'https://x.example/a']] })
        : jsonAnswer(method === 'POST' ? { id: 1 } : { to: 'https://x.example/a' }),
    calls: { before: 2, after: 1 },
    outputs: [{ to: 'https://x.example/a' }],
  },
  {
    title: 'flattening: the lines of an order stay a list, which `export --explode lines` parts',
    before: [
      workflowOf(
        'flattening',
        `
  - id: lines
    type: code
    code: 'return row.lines.map(({ sku, count }) => ({ order: row.order, sku, count }))'`,
        '{ order: =row.order, lines: "=nodes.lines.map(({ sku, count }) => ({ sku, count }))" }',
      ),
    ],
    after: [workflowOf('flattening', '', '{ order: =row.order, lines: =row.lines }')],
    rows: [
      {
        order: 1,
        lines: [
          { sku: 'a', count: 2 },
          { sku: 'b', count: 1 },
        ],
      },
      { order: 2, lines: [] },
    ],
    answer: rate,
    calls: { before: 0, after: 0 },
    outputs: [
      {
        order: 1,
        lines: [
          { sku: 'a', count: 2 },
          { sku: 'b', count: 1 },
        ],
      },
      { order: 2, lines: [] },
    ],
  },
];

async function run(texts: readonly string[], { rows, answer }: Template) {
  const inner = scriptedUpstream(answer);
  const about = { runId: 'test-run', scenario: {}, seed: { random: 1, time: 0 }, clock: 'virtual' as const };
  const upstream = upstreamOfRows(inner, about, { clock: systemClock });
  const { execution, sink } = testExecution(planOfSet(texts), { pool: testPool(), rows, upstream });
  expect(await execution.run()).toEqual({ kind: 'completed' });
  return { outputs: sink.outputs, calls: inner.requests.length };
}

const linesOf = (texts: readonly string[]): number =>
  texts
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

describe('a workflow of a public template', () => {
  it.each(templates)('$title', async (template) => {
    const { before, after, outputs, calls } = template;
    expect(await run(before, template)).toEqual({ outputs, calls: calls.before });
    expect(await run(after, template)).toEqual({ outputs, calls: calls.after });
    expect(linesOf(after)).toBeLessThanOrEqual(linesOf(before));
  });
});
