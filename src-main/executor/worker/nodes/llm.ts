import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { findMismatch } from '../../../domain/json-schema/find-mismatch.ts';
import type { NodeConfigs } from '../../../domain/nodes/catalogue.ts';
import type { Evaluate } from '../compiler.ts';
import { NodeError } from '../node-error.ts';
import type { RowScope } from '../sandbox.ts';
import { parseAnswer } from './answer-body.ts';
import { compileUrl } from './call-url.ts';
import { compileMessages, compileParameters, readChatAnswer, type ChatAnswer } from './chat-request-body.ts';
import type { MakeRunner } from './node-runner.ts';
import { callOutside, describeType, readAnswer, refusal, type OutsideCall } from './outside-call.ts';

/** Default timeout, in ms: without streaming the whole answer arrives at once, and local models are slow. */
const usualTimeoutMs = 120_000;

export const runLlm: MakeRunner<'llm'> = (config, tools) => {
  const baseUrl = compileUrl(config.baseUrl, tools.compiler);
  const question = makeQuestion(config, tools);
  const { auth, limit, share, json: schema } = config;
  const ask = async (call: OutsideCall, scope: RowScope): Promise<unknown> => {
    return readAnswer(await callOutside(call, scope, tools), (answer) => {
      const { text, usage, isCut } = readChatAnswer(answer, ({ promptTokens, completionTokens }) => {
        // The row that made the call has counted them.
        if (answer.by === 'share') return;
        tools.countTokens({ prompt: promptTokens ?? 0, completion: completionTokens ?? 0 }, scope);
      });
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
      ...(limit === undefined ? {} : { intervalMs: limit }),
      ...(share === undefined ? {} : { isShared: true as const }),
    };
    return ask(call, scope);
  };
};

/** Makes the body of the request, in the format of the chat completions API. */
function makeQuestion(
  { model, messages, temperature, maxTokens, parameters, json }: NodeConfigs['llm'],
  { compiler }: Parameters<MakeRunner<'llm'>>[1],
): Evaluate<JsonObject> {
  const modelName = compiler.value(model);
  const talk = compileMessages(messages, compiler);
  const further = compileParameters(parameters, compiler);
  return (scope) => ({
    ...further(scope),
    model: nameOf(modelName(scope)),
    messages: talk(scope),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(json === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: json } } }),
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
