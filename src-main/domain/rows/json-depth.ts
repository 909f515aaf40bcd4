// Checks how deep a JSON text is nested before it is parsed. Millions of brackets cost a parser seconds and more memory
// than their text, and they overflow the stack of recursive code that walks the value.

const quote = 0x22;
const backslash = 0x5c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether lists and objects stand in each other more levels deep than that. Of a text that is not JSON it says so as
 * far as a parser would come; looks at no more of the text than it takes to know.
 */
export const isNestedDeeper = (text: string, levels: number): boolean =>
  isDeeperUpTo(text, levels, { state: { offset: 0, depth: 0 }, end: text.length });

/** As `isNestedDeeper`, in steps: 50 MB take half a second. */
export function* isNestedDeeperInSteps(text: string, levels: number): Generator<undefined, boolean> {
  const state = { offset: 0, depth: 0 };
  while (state.offset < text.length) {
    const end = Math.min(state.offset + stepLength, text.length);
    if (isDeeperUpTo(text, levels, { state, end })) return true;
    yield;
  }
  return false;
}

/** Characters of one step. */
const stepLength = 500_000;

type Stretch = {
  /** Where the stretch begins, outside strings; afterwards, where the next one begins. */
  readonly state: { offset: number; depth: number };
  /** A string that begins before the end belongs to the stretch. */
  readonly end: number;
};

function isDeeperUpTo(text: string, levels: number, { state, end }: Stretch): boolean {
  let { offset: at, depth } = state;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (opening.has(code)) depth += 1;
    else if (closing.has(code)) depth -= 1;
    if (depth > levels) return true;
  }
  state.offset = at;
  state.depth = depth;
  return false;
}

/** The place of its closing quote, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}
