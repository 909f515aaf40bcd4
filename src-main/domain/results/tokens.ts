// Tokens that language models report as used. The counts are external data, so sums are capped at the largest safe
// integer, which the code after them accepts.

export type Tokens = {
  /** In what the model was asked. */
  readonly prompt: number;
  /** In what it answered. */
  readonly completion: number;
};

export const noTokens: Tokens = { prompt: 0, completion: 0 };

export const addTokens = (one: Tokens, other: Tokens): Tokens => ({
  prompt: Math.min(one.prompt + other.prompt, Number.MAX_SAFE_INTEGER),
  completion: Math.min(one.completion + other.completion, Number.MAX_SAFE_INTEGER),
});
