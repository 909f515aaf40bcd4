import type { Position } from '../expressions/value.ts';

/** Finds lines and columns (both from 1, columns in UTF-16 units) of offsets in one text. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(offset - this.#startOf(low), 0) + 1 };
  }

  #startOf(line: number): number {
    return this.#starts[line] ?? 0;
  }
}
