import { rowLine } from './json-row.ts';
import type { RowTextReader } from './row-text-reader.ts';

/** Rows from NDJSON (JSON Lines): one object a line; blank lines are skipped. */
export class NdjsonRows implements RowTextReader {
  #rest = '';
  #line = 0;

  push(text: string): string[] {
    // Not searched again with each piece: a line may be as long as a file.
    if (!text.includes('\n')) {
      this.#rest += text;
      return [];
    }
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#row(line));
  }

  end(): string[] {
    return this.#row(this.#rest);
  }

  #row(line: string): string[] {
    this.#line++;
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    return text.trim() === '' ? [] : [rowLine(text, { line: this.#line, column: 1 })];
  }
}
