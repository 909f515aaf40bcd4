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
  const further = compileParameters(parameters, json !== undefined, compiler);
  const format = responseFormat(json);
  return (scope) => ({
    ...format,
    ...withoutNullFormat(further(scope)),
    model: nameOf(modelName(scope)),
    messages: talk(scope),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
  });
}

function responseFormat(json: NodeConfigs['llm']['json']): JsonObject {
  if (json === undefined) return {};
  if (json === true) return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: json } } };
}

/** The parameters; `response_format: null` takes the made one away. */
const withoutNullFormat = (parameters: JsonObject): object =>
  parameters['response_format'] === null ? { ...parameters, response_format: undefined } : parameters;

function nameOf(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model;
  throw refusal(`the model is ${model === '' ? 'empty' : describeType(model)}, not a name`);
}

function chatUrl(url: URL): URL {
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

function readJson(text: string, schema: JsonObject | true, isCut: ChatAnswer['isCut']): unknown {
  // An incomplete answer can be valid JSON with missing content.
  if (isCut) throw new NodeError('the model ran out of tokens before its JSON was complete');
  const json = parseModelJson(text);
  const mismatch = schema === true ? undefined : findMismatch(schema, json as JsonValue, 'answer');
  if (mismatch !== undefined) throw new NodeError(`the model answered in another form: ${mismatch}`);
  return json;
}

/** The JSON of an answer, which may stand behind the model's reasoning or in one code fence. */
function parseModelJson(text: string): unknown {
  const answer = text.replace(/^\s*<think>.*?<\/think>/s, '');
  const fenced = onlyFence(answer);
  for (const candidate of [text, answer, fenced]) {
    if (candidate === undefined) continue;
    const json = parsedOrUndefined(candidate);
    if (json !== undefined) return json;
  }
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  throw new NodeError(`the model answered with invalid JSON: ${JSON.stringify(shown)}`);
}

/** Content of the only code fence of a text; undefined for none, and for several. */
function onlyFence(text: string): string | undefined {
  const lines = text.split('\n');
  const marks = lines.flatMap((line, index) => (line.trimStart().startsWith('```') ? [index] : []));
  const [start, end] = marks;
  if (start === undefined || end === undefined || marks.length > 2 || lines[end]?.trim() !== '```')
    return undefined;
  return lines.slice(start + 1, end).join('\n');
}

/** Characters of an answer in the message about it. */
const shownCharacters = 120;

/** Undefined for a text that is not JSON. Throws NodeError for JSON that no row can hold. */
function parsedOrUndefined(text: string): unknown {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return parseAnswer(text, 'the model');
}
