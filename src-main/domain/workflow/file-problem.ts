/** A step on the way from the top of a file to a place in it. */
export type PathStep = string | number;

/** Something wrong at a place in the file, before that place has become a line and a column. */
export type FileProblem = {
  readonly severity?: 'warning' | 'note';
  readonly message: string;
  readonly path: readonly PathStep[];
  /** The key at the end of the path rather than its value. */
  readonly atKey?: boolean;
  /** Within the string at the path, in UTF-16 units from 0. */
  readonly offset?: number;
};
