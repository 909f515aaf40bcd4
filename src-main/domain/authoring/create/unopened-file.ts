/** Maximum characters of all files of rows that an editor opens: each of its requests sends them. */
export const maxRowsCharacters = 200_000;
/** Maximum files of rows that an editor opens. */
export const maxRowsFiles = 8;

/** A file of rows that belongs to a workflow, and that an editor does not open. */
export type UnopenedFile = {
  readonly name: string;
  readonly bytes: number;
  /** `large`, `many`: it does not fit beside the files that are open; `unreadable`: it is not UTF-8 text. */
  readonly reason: 'large' | 'many' | 'unreadable';
};
