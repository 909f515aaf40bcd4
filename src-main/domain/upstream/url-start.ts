// Finds the end of the origin of a URL. Who calls: the parser of workflow files and the row worker, so that both mean the same.

/**
 * True if the text holds the whole origin of a web address and the character that ends it. Text behind it cannot change
 * the host. A URL parser reads a backslash as a slash, drops tabs and line breaks: none of these may stand in an origin.
 */
export const hasWholeOrigin = (text: string): boolean => /^https?:\/\/[^/?#\\\s]+[/?#]/i.test(text);

/** True if a URL parser would look for the host of a web address in the text; it skips blanks at the start. */
export const beginsOrigin = (text: string): boolean => /^[\s\u0000-\u0020]*https?\s*:/i.test(text);
