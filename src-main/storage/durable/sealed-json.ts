// The text of a small document, with a checksum as its last field: a changed byte is noticed even where the text is
// still the JSON of a good document. A document without one is as old as Rowbench's first versions, or written by hand.
import { crc32 } from 'node:zlib';

/** Readable for a person, and one line a field for a diff. */
export function sealedJson(value: object): Uint8Array {
  const text = JSON.stringify(value, null, 2);
  // Of an object with at least one field: its end is a line of its own.
  const body = text.slice(0, text.lastIndexOf('\n'));
  return Buffer.from(`${body},\n  "checksum": "${hex(crc32(body))}"\n}\n`);
}

export type SealedText = {
  /** Without the checksum. */
  readonly text: string;
  readonly seal: 'none' | 'whole' | 'broken';
};

const sealPattern = /,\s*"checksum":\s*"([0-9a-f]{8})"\s*\}\s*$/;

/** Takes the checksum off. */
export function openSeal(text: string): SealedText {
  const found = sealPattern.exec(text);
  if (found === null) return { text, seal: 'none' };
  const body = text.slice(0, found.index);
  return { text: `${body}\n}\n`, seal: hex(crc32(body)) === found[1] ? 'whole' : 'broken' };
}

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
