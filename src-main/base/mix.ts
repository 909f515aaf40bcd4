// Deterministic pseudo-random numbers: equal inputs in equal order give equal results.

/** The finishing step of mulberry32 over two 32-bit numbers. Unsigned, 32 bits. */
export function mix(left: number, right: number): number {
  let mixed = (left ^ Math.imul(right + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** A number in [0, 1), determined by 32-bit numbers and their order. */
export const chanceOf = (seed: number, ...numbers: readonly number[]): number =>
  numbers.reduce(mix, seed) / 2 ** 32;

/** A text as one 32-bit number. */
export function mixText(text: string): number {
  let mixed = text.length;
  for (let at = 0; at < text.length; at += 1) mixed = mix(mixed, text.charCodeAt(at));
  return mixed;
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
