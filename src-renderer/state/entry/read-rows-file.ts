// A file of rows, read piece by piece while the page goes on answering: which encoding and form it has, and its rows.
import {
  count,
  createRowReader,
  rowFormatOfName,
  sniffRowFormat,
  type JsonObject,
  type RowFormat,
} from '#contract';
import { createBreather } from './breather.ts';
import { encodingOf, encodings, type Encoding } from './text-encoding.ts';

export type RowsFile = {
  readonly name: string;
  readonly format: RowFormat;
  readonly encoding: Encoding;
  /** Cells of CSV and TSV are texts still. */
  readonly rows: readonly JsonObject[];
};

export type FileWish = {
  /** Instead of what the file's beginning says. */
  readonly encoding?: Encoding | undefined;
  readonly maxRows: number;
  /** 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
};

type GivenFile = Pick<File, 'name' | 'size' | 'slice' | 'stream'>;

/** As much as a first line may need. */
const sniffBytes = 65_536;

/** The bytes are not of the encoding. */
export class EncodingProblem extends Error {
  override readonly name = 'EncodingProblem';
}

/** Throws, in words for a person: `EncodingProblem`, or what is wrong with the rows and where. */
export async function readRowsFile(file: GivenFile, wish: FileWish): Promise<RowsFile> {
  const head = new Uint8Array(await file.slice(0, sniffBytes).arrayBuffer());
  const beginning = encodingOf(head);
  const encoding = wish.encoding ?? beginning.encoding;
  // The last letter of a piece may be cut.
  const start = new TextDecoder(encoding).decode(head);
  const format = rowFormatOfName(file.name) ?? sniffRowFormat(start);
  const reader = createRowReader(format, new Map());
  const rows: JsonObject[] = [];
  const take = (lines: readonly string[]): void => {
    for (const line of lines) rows.push(JSON.parse(line) as JsonObject);
    if (rows.length > wish.maxRows) throw tooManyRows(wish.maxRows);
  };
  const breathe = createBreather(wish.signal);
  let bytes = 0;
  for await (const [text, size] of textsOf(file, encoding)) {
    take(reader.push(text));
    bytes += size;
    wish.onProgress?.(file.size === 0 ? 1 : bytes / file.size);
    await breathe();
  }
  take(reader.end());
  if (rows.length === 0 && format !== 'json') throw new Error(noRows(format));
  return { name: file.name, format, encoding, rows };
}

async function* textsOf(file: GivenFile, encoding: Encoding): AsyncGenerator<[text: string, bytes: number]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const stream = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) break;
      yield [decoder.decode(value, { stream: true }), value.length];
    }
    yield [decoder.decode(), 0];
  } catch (error) {
    if (error instanceof TypeError)
      throw new EncodingProblem(`The text is not ${encodings[encoding]}.`, { cause: error });
    throw error;
  } finally {
    await stream.cancel();
  }
}

export const tooManyRows = (most: number): Error =>
  new Error(
    `There are more than ${count(most)} rows, which is as many as this page holds. Run larger files with "rowbench run", or send them to the API.`,
  );

const noRows = (format: RowFormat): string =>
  format === 'ndjson'
    ? 'There are no rows in it.'
    : `There are no rows in it. Read as ${format.toUpperCase()}, whose first line names the fields.`;
