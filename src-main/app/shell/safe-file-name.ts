/** Names that Windows keeps for devices, whatever comes after a dot. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const longest = 120;

/** A name for a file that every system takes and that stays in the folder it is put into. */
export function safeFileName(suggested: string): string {
  const plain = Array.from(suggested, (letter) => (isUnsafe(letter) ? '-' : letter)).join('');
  const extension = /\.[a-z0-9]{1,8}$/i.exec(plain)?.[0] ?? '';
  const stem = Array.from(plain.slice(0, plain.length - extension.length)).slice(0, longest);
  const name = (stem.join('') + extension).replace(/^[.\s]+|[.\s]+$/g, '');
  return name === '' || deviceName.test(name) ? `rowbench-${name === '' ? 'export' : name}` : name;
}

const isUnsafe = (letter: string): boolean =>
  letter < ' ' || '\\/:*?"<>|\u007f'.includes(letter) || /[\u202a-\u202e\u2066-\u2069]/.test(letter);
