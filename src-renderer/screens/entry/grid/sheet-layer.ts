import type { Part } from './sheet-pointer.ts';

/** What stands over the sheet beside the editor of a cell. */
export type Layer =
  | {
      readonly kind: 'menu';
      /** Where it was asked for. */
      readonly part: Part;
      readonly anchor: Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;
    }
  | { readonly kind: 'column'; readonly at: number };
