/** With a full stop, where the words end without one of their own. */
export const sentence = (words: string): string => (/[.?!…]$/.test(words) ? words : `${words}.`);
