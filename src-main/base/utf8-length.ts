/** Bytes in UTF-8 of a text, or of the part from `from` to before `to`, without lone surrogates. Allocates nothing. */
export function utf8Length(text: string, from = 0, to = text.length): number {
  let bytes = 0;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    const isSurrogate = unit >= 0xd800 && unit < 0xe000;
    if (unit < 0x80) bytes += 1;
    else bytes += unit < 0x800 || isSurrogate ? 2 : 3;
  }
  return bytes;
}
