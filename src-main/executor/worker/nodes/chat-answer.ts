// The text and token counts of a chat completion. All other content of the answer is ignored. The program never follows
// or calls what an answer names, and shows it only as text.
import { isJsonObject } from '../../../base/json-value.ts';
import { NodeError } from '../node-error.ts';
import { parseAnswer } from './answer-json.ts';
import { bodyText, contentType, isJsonType, type OutsideAnswer } from './answer-body.ts';
import { shortReason } from './outside-call.ts';

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
  const reason = choice['finish_reason'];
  const why = typeof reason === 'string' ? ` (${shortReason({ message: reason })})` : '';
  throw new NodeError(`${of} answered without text${why}`);
}

/** The own properties of a value; none if it is not an object. */
const recordOf = (value: unknown): Inner =>
  isJsonObject(value) ? (Object.assign(Object.create(null) as object, value) as Inner) : {};

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
