import type { Part } from './sheet-pointer.ts';

/** A menu or column dialog over the sheet; the cell editor is not a layer. */
export type Layer =
  | {
      readonly kind: 'menu';
      /** Where it was asked for. */
      readonly part: Part;
      readonly anchor: Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;
    }
  | { readonly kind: 'column'; readonly at: number };
