/** The workbook cannot be read; the message says why, to the user. */
export class SheetProblem extends Error {
  override readonly name = 'SheetProblem';
}
