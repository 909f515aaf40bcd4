// Reads a part of a workbook as XML. Knows no entities but those of XML itself, and refuses a document type.
import { Parser } from 'saxen';
import { SheetProblem } from './sheet-problem.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Names come without their prefixes. */
export type XmlEvents = {
  readonly onOpen: (name: string, attributes: () => Attributes) => void;
  readonly onClose?: (name: string) => void;
  readonly onText?: (text: string) => void;
  /** The problem of a text that is too long, if one is open. */
  readonly textTooLong?: () => SheetProblem | undefined;
};

/** Bytes that are parsed at once. An unfinished text, tag or comment is read again with each piece, so it may not be longer. */
const pieceBytes = 1_000_000;

/** Throws a SheetProblem for anything but XML. */
export function readXml(bytes: Uint8Array, { onOpen, onClose, onText, textTooLong }: XmlEvents): void {
  const parser = new Parser();
  let problem: Error | undefined;
  /** True if the piece had the end of a text, tag or comment. */
  let hasEvent = false;
  const guarded = (action: () => void): void => {
    hasEvent = true;
    if (problem !== undefined) return;
    try {
      action();
    } catch (error) {
      problem = error instanceof Error ? error : new Error(String(error));
    }
  };
  parser.on('openTag', (name, attributes, decode) =>
    guarded(() => onOpen(bareName(name), () => decoded(attributes(), decode))),
  );
  parser.on('closeTag', (name) => guarded(() => onClose?.(bareName(name))));
  if (onText !== undefined) {
    parser.on('text', (text, decode) => guarded(() => onText(decode(text))));
    parser.on('cdata', (text) => guarded(() => onText(text)));
  }
  parser.on('attention', (text) =>
    guarded(() => {
      if (/^<!DOCTYPE/i.test(text)) throw new SheetProblem('its XML has a document type, which is not read');
    }),
  );
  for (const other of ['comment', 'question'] as const) parser.on(other, () => guarded(() => undefined));
  parser.on('error', () => (problem ??= new SheetProblem('the workbook is damaged: its XML has errors')));
  const decoder = new TextDecoder('utf-8');
  for (let at = 0; at < bytes.length && problem === undefined; at += pieceBytes) {
    hasEvent = false;
    parser.write(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }));
    if (!hasEvent && at + pieceBytes <= bytes.length) problem ??= textTooLong?.() ?? longToken();
  }
  if (problem === undefined) parser.end();
  if (problem !== undefined) throw problem;
}

const longToken = (): SheetProblem =>
  new SheetProblem(
    `the workbook is damaged: a text, tag or comment of its XML has more than ${pieceBytes / 1_000_000} MB`,
  );

const bareName = (name: string): string => name.slice(name.indexOf(':') + 1);

const decoded = (attributes: Attributes, decode: (text: string) => string): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [bareName(name), decode(value)]));
