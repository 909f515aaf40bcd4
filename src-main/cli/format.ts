// Numbers, times and tables as people read them.

/** `12,345` */
export const count = (value: number): string => value.toLocaleString('en-US');

/** `1 row`, `2,000 rows` */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `820 ms`, `1.2 s`, `3 m 04 s`, `2 h 05 m` */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${count(Math.floor(minutes / 60))} h ${twoDigits(minutes % 60)} m`;
}

/** `2026-11-21 08:15:02` in the machine's time zone. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const day = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Columns padded to their widest cell, two spaces apart; every line ends with a newline. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((cells) => cells.map(printable));
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  return lines
    .map(
      (cells) =>
        cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd() + '\n',
    )
    .join('');
}

/** A name or message of others on one line: blanks instead of line breaks and all that could steer the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');

/**
 * Text for a terminal: what could steer the terminal (C0 and C1 control characters, DEL) or turn the direction of the
 * text is written as JSON would escape it, `\\u001b`. Line breaks and tabs stay, and JSON stays the same value.
 */
export const escapeControls = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `820 B`, `1.2 MB`: powers of ten. */
export function byteSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power] ?? ''}`;
}
