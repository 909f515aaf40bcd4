// The text of a small document, with a checksum as its last field, which detects a changed byte even in valid JSON. A
// document without a checksum was written by hand or by one of the first versions of Rowbench.
import { crc32 } from 'node:zlib';

/** JSON for people to read, with one line per field for a diff. */
export function sealedJson(value: object): Uint8Array {
  const text = JSON.stringify(value, null, 2);
  // The object has at least one field, so its closing brace is on a line of its own.
  const body = text.slice(0, text.lastIndexOf('\n'));
  return Buffer.from(`${body},\n  "checksum": "${hex(crc32(body))}"\n}\n`);
}

export type SealedText = {
  /** Text without the checksum. */
  readonly text: string;
  readonly seal: 'none' | 'whole' | 'broken';
};

const sealPattern = /,\s*"checksum":\s*"([0-9a-f]{8})"\s*\}\s*$/;

/** Splits the text from its checksum and compares the two. */
export function openSeal(text: string): SealedText {
  const found = sealPattern.exec(text);
  if (found === null) return { text, seal: 'none' };
  const body = text.slice(0, found.index);
  return { text: `${body}\n}\n`, seal: hex(crc32(body)) === found[1] ? 'whole' : 'broken' };
}

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
