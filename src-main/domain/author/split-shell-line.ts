// Splits a command line as POSIX shells do, without running anything.

/** A word of the line, and the names of the shell's variables that it refers to. */
export type ShellWord = { readonly text: string; readonly variables: readonly string[] };

type ShellLine = { readonly words: readonly ShellWord[] } | { readonly problem: string };

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
