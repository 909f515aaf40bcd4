// States of a lexer at the beginning of each line of a text that changes. Only lines up to the requested one are lexed.
// After an edit, lexing stops where the states are again those of before, so that a key press costs one line.

/** Lexes a text line by line. A line's tokens depend on the line and on the state that the line before left. */
export type LineLexer<State> = {
  readonly start: State;
  readonly next: (line: string, state: State) => State;
  readonly isSame: (one: State, other: State) => boolean;
};

/** Lines count from 0. The text is not stored: the caller passes it with each request. */
export class LineStates<State> {
  readonly #lexer: LineLexer<State>;
  #states: (State | undefined)[];
  /** Lines that were not lexed since they, or the state at their beginning, changed. */
  #isStale: boolean[];
  /** No line before it is stale. */
  #firstStale = 0;

  /** @param lines number of lines, at least one */
  constructor(lexer: LineLexer<State>, lines: number) {
    this.#lexer = lexer;
    this.#states = [lexer.start, ...blank(lines - 1, undefined)];
    this.#isStale = blank(lines, true);
  }

  /** State at the beginning of a line. */
  at(requested: number, textOf: (line: number) => string): State {
    const line = Math.min(requested, this.#states.length - 1);
    for (let at = this.#firstStale; at < line; at += 1) {
      if (this.#isStale[at] === true) this.#lex(at, textOf(at));
    }
    this.#firstStale = Math.max(this.#firstStale, line);
    return this.#states[line] ?? this.#lexer.start;
  }

  /**
   * Notes an edit: `removed` lines from `first` on became `inserted` other lines.
   * @param removed at least one: an edit inside a line replaces that line
   * @param inserted at least one
   */
  replaceLines(first: number, removed: number, inserted: number): void {
    if (removed !== inserted) {
      // The first line begins as before; the line behind the edit keeps its state, to compare with.
      this.#states = replaced(
        this.#states,
        { from: first + 1, to: first + removed },
        blank(inserted - 1, undefined),
      );
      this.#isStale = replaced(this.#isStale, { from: first, to: first + removed }, blank(inserted, true));
    } else {
      this.#isStale.fill(true, first, first + inserted);
    }
    this.#firstStale = Math.min(this.#firstStale, first);
  }

  #lex(line: number, text: string): void {
    const { next, isSame, start } = this.#lexer;
    const found = next(text, this.#states[line] ?? start);
    const known = this.#states[line + 1];
    this.#isStale[line] = false;
    if (known !== undefined && isSame(known, found)) return;
    this.#states[line + 1] = found;
    this.#isStale[line + 1] = true;
  }
}

const blank = <T>(length: number, value: T): T[] => new Array<T>(length).fill(value);

const replaced = <T>(
  list: readonly T[],
  { from, to }: { from: number; to: number },
  by: readonly T[],
): T[] => [...list.slice(0, from), ...by, ...list.slice(to)];
