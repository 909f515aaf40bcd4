// Values of a statement that is put together from parts.

export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value. Returns what stands for it in the statement. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The text to look for: PostgreSQL refuses a zero byte, which no stored text has. */
export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd');
