// Messages and further parameters of a chat request, in the format of the chat completions API.
import type { JsonObject } from '../../../base/json-value.ts';
import type { NodeConfigs } from '../../../domain/nodes/catalogue.ts';
import { chatRoles, isImageUrl, parameterProblem } from '../../../domain/nodes/chat-request.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { setOwn } from '../plain-value.ts';
import { compileFields } from './named-values.ts';
import { describeType, refusal } from './outside-call.ts';

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
  compiler: Compiler,
): Evaluate<object> {
  const evaluate = compileFields(parameters, 'parameters', compiler);
  return (scope) => {
    const body: JsonObject = {};
    for (const [name, value] of evaluate(scope)) {
      const problem = parameterProblem(name);
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
