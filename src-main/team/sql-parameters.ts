// Parameters of a statement that is composed of parts.

export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value. Returns its placeholder for the statement, such as `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The text to look for: PostgreSQL refuses a zero byte, which no stored text has. */
export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd');
