import type { App } from '../app.svelte.ts';
import type { ReadSheet } from './read-rows-file.ts';

/** Lets the server read workbooks: it does so in a process that can do nothing else. */
export const sheetReader =
  (session: Pick<App['session'], 'download'>): ReadSheet =>
  (file, sheet, signal) => {
    const query = sheet === undefined ? '' : `?${new URLSearchParams({ sheet }).toString()}`;
    return session.download(`/sheet${query}`, signal, file);
  };
