// Rules of a chat request that the validator and the row worker share. Apart from `llm.ts`, whose schemas no worker needs.

/** Roles of the messages to a model. */
export const chatRoles = ['system', 'developer', 'user', 'assistant'] as const;

/** Parameters that have a key of their own, and those that a node without tools and streams cannot have. */
const reserved: ReadonlyMap<string, string> = new Map([
  ...(['model', 'messages', 'temperature'] as const).map((name) => [name, `use the key "${name}"`] as const),
  ['max_tokens', 'use the key "maxTokens"'],
  ['max_completion_tokens', 'use the key "maxTokens"'],
  ...['tools', 'tool_choice', 'functions', 'function_call'].map(
    (name) => [name, 'a model that a node asks has no tools'] as const,
  ),
  ['stream', 'an answer comes whole'],
  ['n', 'a node takes one answer'],
]);

/**
 * Why the parameter may not be sent; undefined if it may.
 * @param hasJson true for a node with the key `json`, which checks the answer whatever form was asked for
 */
export function parameterProblem(name: string, hasJson: boolean): string | undefined {
  const reason = name === 'response_format' && !hasJson ? 'use the key "json"' : reserved.get(name);
  return reason === undefined ? undefined : `"${name}" is no further parameter: ${reason}`;
}

/** True if a model can be shown an image by that text: an https address, or a `data:` URL of an image in base64. */
export const isImageUrl = (text: string): boolean =>
  /^https:\/\/\S+$/i.test(text) || /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+$/i.test(text);
