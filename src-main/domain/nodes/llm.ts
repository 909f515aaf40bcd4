import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { checkSchema } from '../json-schema/check-schema.ts';
import { urlDoubts } from './http.ts';
import { fieldKind } from './field-kind.ts';
import { chatRoles, parameterProblem } from './chat-request.ts';
import { defineNodeType, cardText } from './node-type.ts';
import { callAuth } from './call-auth.ts';
import { shareSlot } from './share-slot.ts';
import { refuse, rateLimitSlot } from './slot-problems.ts';
import { writtenFields } from './fields.ts';
import type { Slots } from './slots.ts';

const messagesSlot = (slots: Slots) =>
  z.union(
    [
      z
        .array(
          z.strictObject({
            role: z.enum(chatRoles).describe('The author of the message.'),
            content: slots.text().describe('The text of the message.'),
            images: z
              .array(slots.text())
              .min(1)
              .exactOptional()
              .describe(
                'Images that go with it, each an https address or a `data:image/…;base64,…` URL, such as `=row.photo`. The model must be able to see.',
              ),
          }),
        )
        .min(1)
        .meta({ title: 'Messages' }),
      slots.computed().meta({ title: 'Expression' }),
    ],
    { error: 'Expected a list of messages, or an =expression that gives one' },
  );

const parametersSlot = (slots: Slots) =>
  slots.fields().superRefine((fields, context) => {
    for (const [name] of writtenFields(fields)) {
      // Between nodes' own keys: `check-workflow.ts`.
      const message = parameterProblem(name, true);
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
    }
  });

/** Keys of a new node but for its messages. */
const newModel = { baseUrl: 'http://localhost:11434/v1', model: 'llama3.2' };
const asking = (content: string) => [{ role: 'user', content }];

export const llmNode = defineNodeType({
  type: 'llm',
  title: 'Language model',
  summary:
    'Asks a language model that speaks the OpenAI-compatible chat API: a local server such as Ollama or llama.cpp, or a hosted one.',
  value:
    '`{ text, json, usage }`: the answer, the same parsed where `json` has a schema, and `{ promptTokens, completionTokens, totalTokens, ms }` (null where the server does not count)',
  example: `- id: topic
  type: llm
  baseUrl: http://localhost:11434/v1
  model: llama3.2
  messages:
    - { role: system, content: You sort support requests. }
    - { role: user, content: "{{ row.text }}" }
  temperature: 0
  json:
    type: object
    properties: { topic: { enum: [billing, technical, other] } }
    required: [topic]
  retry: { attempts: 3 }`,
  intents: [
    {
      title: 'Ask a model',
      keywords: 'gpt ai chat llm openai ollama prompt language',
      newKeys: { ...newModel, messages: asking('{{ JSON.stringify(row) }}') },
    },
    {
      title: 'Sort with a model',
      summary: 'Asks a language model for one of several labels.',
      keywords: 'classify label category ai gpt sentiment',
      newKeys: {
        ...newModel,
        messages: asking('Sort this request:\n{{ JSON.stringify(row) }}'),
        json: {
          type: 'object',
          properties: { label: { enum: ['billing', 'technical', 'other'] } },
          required: ['label'],
        },
      },
    },
    {
      title: 'Take data out of text',
      summary: 'Asks a language model for fields that stand in a text.',
      keywords: 'extract parse fields ai gpt entities',
      newKeys: {
        ...newModel,
        messages: asking('Give the fields that stand in this text:\n{{ JSON.stringify(row) }}'),
        json: {
          type: 'object',
          properties: { name: { type: 'string' }, date: { type: 'string' } },
          required: ['name'],
        },
      },
    },
  ],
  mainKeys: ['baseUrl', 'messages', 'model'],
  faultSearch: () => 'name',
  samples: () => [
    { text: '', json: undefined, usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0, ms: 0 } },
  ],
  mockTemplate: { text: '', json: {} },
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: true,
  card: ({ model }) => cardText(model),
  config: (slots) =>
    z.strictObject({
      baseUrl: slots
        .url()
        .describe(
          'The URL before /chat/completions, such as http://localhost:11434/v1. Each `{{ }}` behind the host is encoded, as in the url of an http node.',
        ),
      model: slots.text().describe('The name of the model, as the server knows it.'),
      messages: messagesSlot(slots).describe(
        'The conversation so far: messages in order, each with role and content. Or an `=expression` that gives such a list; a message of it may have `images`, too.',
      ),
      temperature: z
        .number()
        .min(0)
        .max(2)
        .exactOptional()
        .describe('From 0, the most likely words, to 2. Without it: as the server has it.'),
      maxTokens: z
        .int()
        .min(1)
        .max(1_000_000)
        .exactOptional()
        .describe('The answer ends there. Without it: as the server has it.'),
      parameters: parametersSlot(slots)
        .exactOptional()
        .describe(
          'Further parameters that the server knows, such as `{ top_p: 0.9, seed: 7 }`, or an `=expression` that gives an object of them. They are sent as they are.',
        ),
      json: jsonSchema
        .exactOptional()
        .describe(
          'A JSON Schema: the model is asked for JSON of this form, and an answer of another form fails the attempt. The JSON may stand behind `<think>…</think>` or in one code fence. `true`: any JSON. For a server that refuses schemas, `parameters: { response_format: { type: json_object } }` is sent in place of the schema, which still checks the answer; null sends none.',
        ),
      auth: callAuth(slots).exactOptional().meta({ title: 'Sign in' }),
      limit: rateLimitSlot.exactOptional().meta({ title: 'Rate' }),
      share: shareSlot.exactOptional().meta({ title: 'Share' }),
    }),
  action: { kind: 'call', target: ({ baseUrl, auth }) => ({ url: baseUrl, auth }) },
  doubts: ({ baseUrl }) => urlDoubts(baseUrl, ['baseUrl']),
});

/** Data, not a value with expressions: the same for every row. */
const jsonSchema = z
  .unknown()
  .transform((json, context): JsonObject | true => {
    if (json === true) return true;
    const problems = checkSchema(json as JsonValue);
    return problems.length === 0 ? (json as JsonObject) : refuse(context, problems);
  })
  .meta({ anyOf: [{ const: true }, { type: 'object', additionalProperties: true }], ...fieldKind('json') });
