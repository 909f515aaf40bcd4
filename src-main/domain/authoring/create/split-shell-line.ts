// Splits a command line as POSIX shells do, without running anything.

/** A word of the line, and the names of the shell's variables that it refers to. */
export type ShellWord = { readonly text: string; readonly variables: readonly string[] };

export type ShellLine = { readonly words: readonly ShellWord[] } | { readonly problem: string };

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Words of one command; a problem for everything that a shell would have to run or look up. */
export function splitShellLine(line: string): ShellLine {
  const reader = new WordReader(line.replace(/\\\r?\n/g, ' ').trim());
  return reader.read();
}

class WordReader {
  readonly #line: string;
  readonly #words: ShellWord[] = [];
  #at = 0;
  #word: { text: string; variables: string[] } | undefined;

  constructor(line: string) {
    this.#line = line;
  }

  read(): ShellLine {
    while (this.#at < this.#line.length) {
      const problem = this.#step();
      if (problem !== undefined) return { problem };
    }
    this.#endWord();
    return { words: this.#words };
  }

  #step(): string | undefined {
    const char = this.#line[this.#at] ?? '';
    if (/\s/.test(char)) {
      this.#endWord();
      this.#at += 1;
      return undefined;
    }
    if (/[|&;<>()\n]/.test(char)) return `Paste the curl command alone: "${char}" is for the shell`;
    if (char === "'") return this.#singleQuoted(false);
    if (char === '"') return this.#doubleQuoted();
    if (char === '$' && this.#line[this.#at + 1] === "'") {
      this.#at += 1;
      return this.#singleQuoted(true);
    }
    return this.#plain(char, true);
  }

  /** @param hasEscapes true in `$'…'` */
  #singleQuoted(hasEscapes: boolean): string | undefined {
    for (this.#at += 1; this.#at < this.#line.length; this.#at += 1) {
      const char = this.#line[this.#at] ?? '';
      if (char === "'") {
        this.#at += 1;
        this.#add('');
        return undefined;
      }
      if (hasEscapes && char === '\\') this.#add(this.#escaped());
      else this.#add(char);
    }
    return 'A quote is not closed';
  }

  #escaped(): string {
    const code = /^(?:x([0-9a-f]{1,2})|u([0-9a-f]{4}))/i.exec(this.#line.slice(this.#at + 1, this.#at + 6));
    if (code !== null) {
      this.#at += code[0].length;
      return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16));
    }
    this.#at += 1;
    const char = this.#line[this.#at] ?? '';
    return escapes[char] ?? char;
  }

  #doubleQuoted(): string | undefined {
    this.#add('');
    for (this.#at += 1; this.#at < this.#line.length;) {
      const char = this.#line[this.#at] ?? '';
      if (char === '"') {
        this.#at += 1;
        return undefined;
      }
      const problem = this.#plain(char, false);
      if (problem !== undefined) return problem;
    }
    return 'A quote is not closed';
  }

  /** A character outside quotes, or between double ones, where fewer characters can be escaped. */
  #plain(char: string, isBare: boolean): string | undefined {
    const rest = this.#line.slice(this.#at);
    if (/^`\r?\n/.test(rest))
      return 'A "`" at the end of a line is for PowerShell. Copy the command as cURL (cmd) or (bash)';
    if (char === '`' || rest.startsWith('$('))
      return 'A command inside of the command is not run. Paste its result instead';
    const variable = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest);
    if (variable !== null) {
      const name = variable[1] ?? variable[2] ?? '';
      this.#add('', name);
      this.#at += variable[0].length;
      return undefined;
    }
    const next = rest[1];
    if (char === '\\' && next !== undefined && (isBare || '"\\$`'.includes(next))) {
      this.#add(next);
      this.#at += 2;
      return undefined;
    }
    this.#add(char);
    this.#at += 1;
    return undefined;
  }

  #add(text: string, variable?: string): void {
    this.#word ??= { text: '', variables: [] };
    this.#word.text += text;
    if (variable !== undefined) this.#word.variables.push(variable);
  }

  #endWord(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }
}

// Splits a command line of Windows, as browsers copy it with "Copy as cURL (cmd)", without running anything.

/** True for a line with the escapes of the Windows command prompt: `^"`, `^\^"`, or a "^" at the end of a line. */
export const isWindowsLine = (line: string): boolean =>
  /^\s*\S*curl(?:\.exe)?\s+(?:-\S+\s+)*\^"|\^\\\^"|\s\^\r?\n/i.test(line);

/**
 * Words of one command; a problem where the command prompt would run something else. Browsers put "^" before each special
 * character, then escape quotes and backslashes by a backslash. They write a line break inside a word as "^" and two breaks.
 */
export function splitWindowsLine(line: string): ShellLine {
  const parts = [...partsOf(withoutCarets(line.replaceAll('\r\n', '\n').trim()))];
  const operator = parts.find(({ kind }) => kind === 'operator');
  if (operator !== undefined)
    return { problem: `Paste the curl command alone: "${operator.char}" is for the command prompt` };
  if (parts.filter(({ kind }) => kind === 'quote').length % 2 !== 0)
    return { problem: 'A quote is not closed' };
  return { words: wordsOf(parts) };
}

/** A character; `isEscaped`: "^" stood before it. */
type Char = { readonly char: string; readonly isEscaped: boolean };

function withoutCarets(line: string): readonly Char[] {
  const chars: Char[] = [];
  for (const [escape] of line.matchAll(/\^\n\n|\^\n|\^[^]|[^]/g))
    if (escape === '^\n\n') chars.push({ char: '\n', isEscaped: true });
    else if (escape === '^\n') chars.push({ char: ' ', isEscaped: false });
    else chars.push({ char: escape.slice(-1), isEscaped: escape.length > 1 });
  return chars;
}

type Part = { readonly kind: 'text' | 'quote' | 'blank' | 'operator'; readonly char: string };

function* partsOf(chars: readonly Char[]): Generator<Part> {
  let isQuoted = false;
  for (let at = 0; at < chars.length; at += 1) {
    const { char = '', isEscaped = false } = chars[at] ?? {};
    const next = chars[at + 1]?.char;
    if (char === '\\' && (next === '"' || next === '\\')) {
      at += 1;
      yield { kind: 'text', char: next };
    } else if (char === '"') {
      isQuoted = !isQuoted;
      yield { kind: 'quote', char };
    } else yield { kind: isQuoted || isEscaped ? 'text' : kindOutside(char), char };
  }
}

function kindOutside(char: string): Part['kind'] {
  if (/\s/.test(char)) return 'blank';
  return /[|&<>]/.test(char) ? 'operator' : 'text';
}

function wordsOf(parts: readonly Part[]): readonly ShellWord[] {
  const words: ShellWord[] = [];
  let text: string | undefined;
  const end = (): void => {
    if (text !== undefined) words.push({ text, variables: [] });
    text = undefined;
  };
  for (const { kind, char } of parts)
    if (kind === 'blank') end();
    else text = (text ?? '') + (kind === 'text' ? char : '');
  end();
  return words;
}
