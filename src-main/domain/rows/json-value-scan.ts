const inString = /["\\]/g;
const betweenStrings = /["{}[\],:\s]/g;

/**
 * Finds the end of one JSON value in text that arrives in pieces, looking at each character once. It matches
 * brackets and quotes only; whether the value is valid JSON is for the parser to say.
 */
export class JsonValueScan {
  readonly #deepest: number;
  #seen = 0;
  #depth = 0;
  #isInString = false;

  /** @param deepest levels of nesting that a value may have; one that has more is cut off there */
  constructor(deepest: number) {
    this.#deepest = deepest;
  }

  /**
   * The length of the value that begins at `from`; undefined when the text ends before the value does. The next
   * call must offer the same text from the value's first character on, with more behind it.
   */
  lengthIn(text: string, from: number): number | undefined {
    let at = from + this.#seen;
    while (at < text.length) {
      const found = nextMark(text, at, this.#isInString ? inString : betweenStrings);
      if (found === text.length) break;
      at = found;
      const mark = text.charAt(at);
      if (this.#isInString) {
        // An escape's second character is skipped even if it has not arrived yet.
        at += mark === '\\' ? 2 : 1;
        this.#isInString = mark === '\\';
      } else if (this.#endsBefore(mark, at > from)) {
        return at - from;
      } else {
        this.#step(mark);
        at++;
        if (this.#depth > this.#deepest) return at - from;
      }
      if (this.#depth === 0 && !this.#isInString && /["}\]]/.test(mark)) return at - from;
    }
    this.#seen = Math.max(at, text.length) - from;
    return undefined;
  }

  /** True if a bare word or number ends in front of the mark. */
  #endsBefore(mark: string, isUnderWay: boolean): boolean {
    return this.#depth === 0 && (isUnderWay || !/["{[]/.test(mark));
  }

  #step(mark: string): void {
    if (mark === '"') this.#isInString = true;
    else if (mark === '{' || mark === '[') this.#depth++;
    else if (mark === '}' || mark === ']') this.#depth--;
  }
}

function nextMark(text: string, from: number, marks: RegExp): number {
  marks.lastIndex = from;
  return marks.exec(text)?.index ?? text.length;
}
