/** Maximum rows that a page holds to edit. */
export const maxSheetRows = 100_000;
