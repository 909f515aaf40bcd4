const separated = new Intl.NumberFormat('en-US');

/** `1,204` */
export const count = (value: number): string => separated.format(value);

/** `1 row`, `1,204 rows` */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
