/** The end of an id, by which people tell two apart: its beginning is a time that runs of one minute share. */
export const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id);
