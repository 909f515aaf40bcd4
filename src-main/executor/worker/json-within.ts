// JSON text of a node's value, or the beginning of a text that is too large to keep. The work is proportional to the
// text that is kept. Who calls: traces, with plain data that no code changes.

type JsonWithin = { readonly text: string; readonly isCut: boolean };

/** @param most maximum size in bytes; a cut text may be slightly longer */
export function jsonWithin(value: unknown, most: number): JsonWithin {
  if (isSurelySmall(value, { left: most })) {
    const text = JSON.stringify(value) ?? 'null';
    if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return { text, isCut: false };
    return { text: beginning(text, most), isCut: true };
  }
  const pieces: string[] = [];
  writeBeginning(value, { pieces, left: most });
  return { text: beginning(pieces.join(''), most), isCut: true };
}

/** The first `most` bytes of the text, without half of a surrogate pair at the end. */
function beginning(text: string, most: number): string {
  let end = Math.min(text.length, most);
  while (Buffer.byteLength(text.slice(0, end)) > most) end = Math.floor(end * 0.9);
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}

/** True if the value fits into the room; it stops counting at the limit. */
function isSurelySmall(value: unknown, room: { left: number }): boolean {
  if (typeof value === 'string') room.left -= value.length;
  room.left -= 1;
  if (room.left < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((entry) => isSurelySmall(entry, room));
  return Object.entries(value).every(([key, entry]) => {
    room.left -= key.length;
    return isSurelySmall(entry, room);
  });
}

type Beginning = { readonly pieces: string[]; left: number };

function write(out: Beginning, piece: string): void {
  out.pieces.push(piece);
  out.left -= piece.length;
}

function writeBeginning(value: unknown, out: Beginning): void {
  if (out.left <= 0) return;
  if (typeof value === 'string') return write(out, JSON.stringify(value.slice(0, out.left)));
  if (typeof value !== 'object' || value === null) return write(out, JSON.stringify(value) ?? 'null');
  const isList = Array.isArray(value);
  write(out, isList ? '[' : '{');
  let isFirst = true;
  for (const key in value) {
    if (out.left <= 0) return;
    if (!isFirst) write(out, ',');
    isFirst = false;
    if (!isList) write(out, `${JSON.stringify(key)}:`);
    writeBeginning((value as Record<string, unknown>)[key], out);
  }
  write(out, isList ? ']' : '}');
}
