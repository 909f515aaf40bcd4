// The remarks about lines of a file: each a cause that the preview shows with its lines.
import type { ReadOptions, ReadRemark } from '#contract';
import type { RowsFile } from './read-rows-file.ts';

export type LineCause = {
  readonly id: string;
  readonly text: string;
  /** Number of lines. */
  readonly count: number;
  /** The first of these lines, from 1. */
  readonly lines: readonly number[];
  /** The header with a second line that looks like one. */
  readonly header?: { readonly first: number; readonly last: number } | undefined;
  /** For lines that can be left out, or are: the option for it, and the one that takes the choice back. */
  readonly skipping?: { readonly isDone: boolean; readonly skip: ReadOptions['skip'] } | undefined;
};

/** Remarks that say how the whole file was read, even if they name a line. */
const aboutFile = new Set<ReadRemark['kind']>([
  'header',
  'noHeader',
  'linesAbove',
  'delimiter',
  'quotes',
  'sheet',
]);

const isAboutLines = ({ kind, lines }: ReadRemark): boolean => lines.length > 0 && !aboutFile.has(kind);

export const lineCauses = ({ report: { readAs, remarks } }: RowsFile): readonly LineCause[] =>
  remarks.filter(isAboutLines).map(({ kind, text, count, lines }, index) => ({
    id: `remark ${index}`,
    text,
    count,
    lines,
    header: kind === 'secondHeader' ? withNextLine(readAs.header) : undefined,
    skipping: kind === 'shortRows' || kind === 'longRows' ? skippingOf(kind, readAs.skip) : undefined,
  }));

function skippingOf(kind: 'shortRows' | 'longRows', skip: ReadOptions['skip']): LineCause['skipping'] {
  const [own, other] = kind === 'shortRows' ? (['short', 'long'] as const) : (['long', 'short'] as const);
  const isDone = skip === own || skip === 'both';
  const hasOther = skip === other || skip === 'both';
  if (isDone) return { isDone, skip: hasOther ? other : undefined };
  return { isDone, skip: hasOther ? 'both' : own };
}

function withNextLine(header: ReadOptions['header'] = { first: 1, last: 1 }): LineCause['header'] {
  return header === 'none' ? undefined : { first: header.first, last: header.last + 1 };
}

/** How the whole file was read, in one line; empty if there is nothing to say. */
export function fileRemark({ report: { remarks } }: RowsFile): string {
  const texts = remarks.filter((remark) => !isAboutLines(remark)).map(({ text }) => text);
  const line = texts.join(', ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}
