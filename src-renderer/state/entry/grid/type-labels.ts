import type { CellType } from '#contract';

/** The name of each column type, and the sign in the column's header. */
export const typeLabels: Record<CellType, { readonly word: string; readonly sign: string }> = {
  string: { word: 'Text', sign: 'abc' },
  number: { word: 'Number', sign: '123' },
  boolean: { word: 'Yes or no', sign: 'y/n' },
  array: { word: 'List', sign: '[ ]' },
  object: { word: 'Object', sign: '{ }' },
  any: { word: 'Any', sign: 'any' },
};
