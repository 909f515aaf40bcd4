import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { findMismatch } from '../../../domain/json-schema/find-mismatch.ts';
import type { NodeConfigs } from '../../../domain/nodes/catalogue.ts';
import { chatRoles } from '../../../domain/nodes/chat-roles.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { NodeError } from '../node-error.ts';
import type { RowScope } from '../sandbox.ts';
import { parseAnswer } from './answer-json.ts';
import { compileUrl } from './call-url.ts';
import { readChatAnswer, type ChatAnswer } from './chat-answer.ts';
import type { MakeRunner } from './node-runner.ts';
import { callOutside, describeType, readAnswer, refusal, type OutsideCall } from './outside-call.ts';

/** Default timeout, in ms: without streaming the whole answer arrives at once, and local models are slow. */
const usualTimeoutMs = 120_000;

export const runLlm: MakeRunner<'llm'> = (config, tools) => {
  const baseUrl = compileUrl(config.baseUrl, tools.compiler);
  const question = makeQuestion(config, tools);
  const { auth, json: schema } = config;
  const ask = async (call: OutsideCall, scope: RowScope): Promise<unknown> => {
    return readAnswer(await callOutside(call, scope, tools), (answer) => {
      const { text, usage, isCut } = readChatAnswer(answer, ({ promptTokens, completionTokens }) =>
        tools.countTokens({ prompt: promptTokens ?? 0, completion: completionTokens ?? 0 }, scope),
      );
      const json = schema === undefined ? {} : { json: readJson(text, schema, isCut) };
      return Object.freeze({ text, ...json, usage: Object.freeze({ ...usage, ms: answer.ms }) });
    });
  };
  return (scope) => {
    const call = {
      method: 'POST',
      url: chatUrl(baseUrl(scope)),
      headers: [['content-type', 'application/json']] as const,
      body: JSON.stringify(question(scope)),
      timeoutMs: usualTimeoutMs,
      ...(auth === undefined ? {} : { auth }),
    };
    return ask(call, scope);
  };
};

/** Makes the body of the request, in the format of the chat completions API. */
function makeQuestion(
  { model, messages, temperature, maxTokens, json }: NodeConfigs['llm'],
  { compiler }: Parameters<MakeRunner<'llm'>>[1],
): Evaluate<JsonObject> {
  const modelName = compiler.value(model);
  const talk = compileMessages(messages, compiler);
  return (scope) => ({
    model: nameOf(modelName(scope)),
    messages: talk(scope),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(json === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: json } } }),
  });
}

/** The function throws a `refusal` for messages that no chat has. */
function compileMessages(
  messages: NodeConfigs['llm']['messages'],
  compiler: Compiler,
): Evaluate<readonly ChatMessage[]> {
  if ('kind' in messages) {
    const evaluate = compiler.value(messages);
    return (scope) => messagesIn(evaluate(scope));
  }
  const compiled = messages.map(({ role, content }) => ({ role, content: compiler.text(content) }));
  return (scope) => compiled.map(({ role, content }) => ({ role, content: content(scope) }));
}

type ChatMessage = { readonly role: (typeof chatRoles)[number]; readonly content: string };

function messagesIn(value: unknown): readonly ChatMessage[] {
  if (!Array.isArray(value)) throw refusal(`"messages" is ${describeType(value)}, not a list`);
  if (value.length === 0) throw refusal('"messages" is an empty list');
  return value.map((message: unknown, index) => {
    const named = `message ${index + 1} of "messages"`;
    if (typeof message !== 'object' || message === null)
      throw refusal(`${named} is ${describeType(message)}, not { role, content }`);
    const { role: written, content } = message as Readonly<Record<string, unknown>>;
    const role = chatRoles.find((each) => each === written);
    if (role === undefined) throw refusal(`the role of ${named} is not one of ${chatRoles.join(', ')}`);
    if (typeof content !== 'string')
      throw refusal(`the content of ${named} is ${describeType(content)}, not text`);
    return { role, content };
  });
}

function nameOf(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model;
  throw refusal(`the model is ${model === '' ? 'empty' : describeType(model)}, not a name`);
}

function chatUrl(url: URL): URL {
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

function readJson(text: string, schema: JsonObject, isCut: ChatAnswer['isCut']): unknown {
  // An incomplete answer can be valid JSON with missing content.
  if (isCut) throw new NodeError('the model ran out of tokens before its JSON was complete');
  const json = parseAnswer(text, 'the model');
  const mismatch = findMismatch(schema, json as JsonValue, 'answer');
  if (mismatch !== undefined) throw new NodeError(`the model answered in another form: ${mismatch}`);
  return json;
}
