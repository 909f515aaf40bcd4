// Finds where and how a text breaks the JSON grammar. Runtimes word this differently and some name no place, so
// it is asked only after JSON.parse has refused a text.

/** The first fault of a text that is not JSON: how far in (UTF-16 units from 0), and what is wrong there. */
export type JsonProblem = { readonly offset: number; readonly problem: string };

/** Throws nothing; answers with the end of the text when it finds no fault. */
export function findJsonProblem(text: string): JsonProblem {
  const scanner = new JsonScanner(text);
  return scanner.value() ?? scanner.nothingMore();
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blank = /[ \t\r\n]*/y;
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Far beyond what a row may hold, far below what the call stack can. */
const deepest = 500;

class JsonScanner {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonProblem | undefined {
    this.#skip(blank);
    const first = this.#text[this.#at];
    if (first === '{') return this.#members();
    if (first === '[') return this.#items();
    if (first === '"') return this.#string();
    return this.#skip(literal) > 0 ? undefined : this.#expected('a value');
  }

  nothingMore(): JsonProblem {
    this.#skip(blank);
    return this.#at < this.#text.length
      ? { offset: this.#at, problem: `unexpected ${this.#here()} after the end of the value` }
      : { offset: this.#at, problem: 'not valid JSON' };
  }

  #members(): JsonProblem | undefined {
    return this.#list('}', () => {
      if (this.#text[this.#at] !== '"') return this.#expected('a name in double quotes');
      return this.#string() ?? this.#mark(':', '":"') ?? this.value();
    });
  }

  #items(): JsonProblem | undefined {
    return this.#list(']', () => this.value());
  }

  #list(close: string, element: () => JsonProblem | undefined): JsonProblem | undefined {
    if (++this.#depth > deepest) return { offset: this.#at, problem: `nested deeper than ${deepest} levels` };
    this.#at++;
    this.#skip(blank);
    if (this.#text[this.#at] !== close) {
      const problem = this.#elements(element);
      if (problem) return problem;
    }
    this.#depth--;
    return this.#mark(close, `"," or "${close}"`);
  }

  #elements(element: () => JsonProblem | undefined): JsonProblem | undefined {
    for (;;) {
      this.#skip(blank);
      const problem = element();
      if (problem) return problem;
      this.#skip(blank);
      if (this.#text[this.#at] !== ',') return undefined;
      this.#at++;
    }
  }

  #string(): JsonProblem | undefined {
    this.#at++;
    do this.#skip(plainCharacters);
    while (this.#skip(escapeSequence) > 0);
    if (this.#text[this.#at] === '"') return this.#mark('"', '"');
    if (this.#at >= this.#text.length) return this.#expected('the closing quote of a string');
    const what = this.#text[this.#at] === '\\' ? 'a bad escape' : 'a control character or line break';
    return { offset: this.#at, problem: `${what} in a string` };
  }

  #mark(mark: string, name: string): JsonProblem | undefined {
    this.#skip(blank);
    if (this.#text[this.#at] !== mark) return this.#expected(name);
    this.#at++;
    return undefined;
  }

  #expected(what: string): JsonProblem {
    return { offset: this.#at, problem: `expected ${what}, found ${this.#here()}` };
  }

  #here(): string {
    const character = this.#text.codePointAt(this.#at);
    return character === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(character));
  }

  /** Moves over what the pattern matches here; answers with its length. */
  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.#at += length;
    return length;
  }
}
