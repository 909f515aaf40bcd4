// Numbers, sizes and times as users read them, on pages and in the terminal.

/** `1,204`. The engine's own format takes 13 ms when it is first used, which would be in each start. */
export const count = (value: number): string =>
  Number.isSafeInteger(value)
    ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : value.toLocaleString('en-US');

/** `1 row`, `1,204 rows` */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `0 B`, `999 B`, `12.3 KB`, `4.1 GB`: powers of ten, as disks are sold. */
export function byteSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
  let amount = Math.max(0, bytes);
  let unit = 0;
  while (amount >= 999.95 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[unit] ?? ''}`;
}

/** `0 ms`, `340 ms`, `1.2 s`, `3 m 04 s`, `2 h 05 m`, `3 d 04 h`; a negative duration is `0 ms`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(Math.max(0, ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${twoDigits(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${twoDigits(minutes % 60)} m`;
  return `${count(Math.floor(hours / 24))} d ${twoDigits(hours % 24)} h`;
}

/** `40 µs`, `2.3 ms`, `212 ms`, then as `duration`: for times that nodes take. */
export function fineDuration(ms: number): string {
  if (ms > 0 && ms < 0.0005) return '<1 µs';
  if (ms < 0.9995) return `${Math.round(Math.max(0, ms) * 1000)} µs`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : duration(ms);
}

/** `just now`, `12 s ago`, `5 min ago`, `3 h ago`, `yesterday`, then the date. A time in the future is `just now`. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(iso)) / 1000);
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  if (hours < 48) return 'yesterday';
  return localTime(iso).slice(0, 10);
}

/** `14:05`, and the date before it for another day, in the machine's time zone. */
export function dayAndTime(iso: string, nowMs: number): string {
  const [day = '', time = ''] = localTime(iso).split(' ');
  const [today] = localTime(new Date(nowMs).toISOString()).split(' ');
  const short = time.slice(0, 5);
  return day === today ? short : `${day} ${short}`;
}

/** `2026-03-01 14:05:09` in the machine's time zone. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${timeOfDay(date)}`;
}

/** `14:05:09.042` in the machine's time zone. */
export function clockTime(ms: number): string {
  const date = new Date(ms);
  return `${timeOfDay(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The end of a long id, by which users tell two apart: ids of one minute share their beginning. */
export const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id);

/** The text with a full stop, unless it ends with a mark of its own. */
export const sentence = (text: string): string => (/[.?!…]$/.test(text) ? text : `${text}.`);

const timeOfDay = (date: Date): string =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');

const twoDigits = (value: number): string => String(value).padStart(2, '0');
