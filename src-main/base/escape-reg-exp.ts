/** The source of a regular expression that matches exactly this text, with and without the flag `u`. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
