/** Something wrong in what the author wrote at one place of the file. */
export type CodeProblem = {
  readonly message: string;
  /** Where in the text, in UTF-16 units from 0. */
  readonly offset: number;
};

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly CodeProblem[] };

/** The same result, for a text of which the parsed one began at `by`. */
export function shifted<T>(parsed: Parsed<T>, by: number): Parsed<T> {
  if (parsed.ok) return parsed;
  return {
    ok: false,
    problems: parsed.problems.map(({ message, offset }) => ({ message, offset: offset + by })),
  };
}
