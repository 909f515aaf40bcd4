// Messages and further parameters of a chat request, in the format of the chat completions API.
import { type JsonObject, isJsonObject } from '../../../base/json-value.ts';
import type { NodeConfigs } from '../../../domain/nodes/catalogue.ts';
import { chatRoles, isImageUrl, parameterProblem } from '../../../domain/nodes/chat-request.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { NodeError } from '../node-error.ts';
import { setOwn } from '../plain-value.ts';
import { bodyText, contentType, isJsonType, type OutsideAnswer, parseAnswer } from './answer-body.ts';
import { compileFields } from './named-values.ts';
import { describeType, refusal, shortReason } from './outside-call.ts';

type ChatMessage = {
  readonly role: (typeof chatRoles)[number];
  readonly content: string | readonly ContentPart[];
};
type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** The function throws a `refusal` for messages that no chat has. */
export function compileMessages(
  messages: NodeConfigs['llm']['messages'],
  compiler: Compiler,
): Evaluate<readonly ChatMessage[]> {
  if ('kind' in messages) {
    const evaluate = compiler.value(messages);
    return (scope) => messagesIn(evaluate(scope));
  }
  const compiled = messages.map(({ role, content, images = [] }) => ({
    role,
    content: compiler.text(content),
    images: images.map((image) => compiler.text(image)),
  }));
  return (scope) =>
    compiled.map(({ role, content, images }, index) => {
      const urls = images.map((image) => imageUrl(image(scope), nameOf(index)));
      return { role, content: contentOf(content(scope), urls) };
    });
}

/** The function throws a `refusal` for a parameter that has a key of its own, or that no node has. */
export function compileParameters(
  parameters: NodeConfigs['llm']['parameters'],
  hasJson: boolean,
  compiler: Compiler,
): Evaluate<JsonObject> {
  const evaluate = compileFields(parameters, 'parameters', compiler);
  return (scope) => {
    const body: JsonObject = {};
    for (const [name, value] of evaluate(scope)) {
      const problem = parameterProblem(name, hasJson);
      if (problem !== undefined) throw refusal(problem);
      setOwn(body, name, value);
    }
    return body;
  };
}

function messagesIn(value: unknown): readonly ChatMessage[] {
  if (!Array.isArray(value)) throw refusal(`"messages" is ${describeType(value)}, not a list`);
  if (value.length === 0) throw refusal('"messages" is an empty list');
  return value.map((message: unknown, index) => {
    const named = nameOf(index);
    if (typeof message !== 'object' || message === null)
      throw refusal(`${named} is ${describeType(message)}, not { role, content }`);
    const { role: written, content, images = [] } = message as Readonly<Record<string, unknown>>;
    const role = chatRoles.find((each) => each === written);
    if (role === undefined) throw refusal(`the role of ${named} is not one of ${chatRoles.join(', ')}`);
    if (typeof content !== 'string')
      throw refusal(`the content of ${named} is ${describeType(content)}, not text`);
    if (!Array.isArray(images))
      throw refusal(`the images of ${named} are ${describeType(images)}, not a list`);
    return {
      role,
      content: contentOf(
        content,
        images.map((image) => imageUrl(image, named)),
      ),
    };
  });
}

const nameOf = (index: number): string => `message ${index + 1} of "messages"`;

const contentOf = (text: string, urls: readonly string[]): ChatMessage['content'] =>
  urls.length === 0
    ? text
    : [{ type: 'text', text }, ...urls.map((url) => ({ type: 'image_url', image_url: { url } }) as const)];

function imageUrl(value: unknown, message: string): string {
  if (typeof value === 'string' && isImageUrl(value)) return value;
  throw refusal(`an image of ${message} is neither an https address nor a data:image/…;base64,… URL`);
}

/**
 * The text and token counts of a chat completion. All other content of the answer is ignored. The program never follows
 * or calls what an answer names, and shows it only as text.
 */
export type ChatAnswer = {
  readonly text: string;
  /** Token counts; null if the server does not count. */
  readonly usage: {
    readonly promptTokens: number | null;
    readonly completionTokens: number | null;
    readonly totalTokens: number | null;
  };
  /** True if the answer ended at the maximum number of tokens. */
  readonly isCut: boolean;
};

/**
 * Reads the answer. Throws NodeError for an answer without text; the error says what it has instead.
 * @param noteUsage called first, since tokens are used even by a useless answer
 */
export function readChatAnswer(
  answer: OutsideAnswer,
  noteUsage: (usage: ChatAnswer['usage']) => void,
): ChatAnswer {
  const body = readBody(answer);
  const counted = recordOf(body['usage']);
  const usage = {
    promptTokens: count(counted['prompt_tokens']),
    completionTokens: count(counted['completion_tokens']),
    totalTokens: count(counted['total_tokens']),
  };
  noteUsage(usage);
  const [choice] = Array.isArray(body['choices']) ? (body['choices'] as readonly unknown[]) : [];
  if (choice === undefined) {
    const reason = shortReason(body);
    throw new NodeError(`${answer.origin} answered without a choice${reason === '' ? '' : `: ${reason}`}`);
  }
  return {
    text: textIn(recordOf(choice), answer.origin),
    usage,
    isCut: recordOf(choice)['finish_reason'] === 'length',
  };
}

type Inner = Readonly<Record<string, unknown>>;

function readBody(answer: OutsideAnswer): Inner {
  const type = contentType(answer);
  if (type === 'text/event-stream')
    throw new NodeError(`${answer.origin} answered with a stream, which was not requested`);
  if (!isJsonType(type))
    throw new NodeError(
      `${answer.origin} answered with ${type === '' ? 'an unnamed kind of content' : type}, not JSON: is the base URL right?`,
    );
  return recordOf(parseAnswer(bodyText(answer), answer.origin));
}

function textIn(choice: Inner, of: string): string {
  const message = recordOf(choice['message']);
  const { content, refusal, tool_calls: toolCalls } = message;
  if (typeof refusal === 'string' && refusal !== '')
    throw new NodeError(`the model refused: ${shortReason({ message: refusal })}`);
  if (Array.isArray(toolCalls) && toolCalls.length > 0)
    throw new NodeError('the model tried to call a tool, but has none');
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return (content as readonly unknown[]).map(partText).join('');
  if (choice['finish_reason'] === 'content_filter')
    throw new NodeError(`${of} answered without text: its content filter stopped the answer`);
  const reason = choice['finish_reason'];
  const why = typeof reason === 'string' ? ` (${shortReason({ message: reason })})` : '';
  throw new NodeError(`${of} answered without text${why}`);
}

/** Text of a part of the answer; empty for a part of another kind. */
function partText(part: unknown): string {
  const { text } = recordOf(part);
  return typeof text === 'string' ? text : '';
}

/** The own properties of a value; none if it is not an object. */
const recordOf = (value: unknown): Inner =>
  isJsonObject(value) ? (Object.assign(Object.create(null) as object, value) as Inner) : {};

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
