import type { App } from '../shell/app.svelte.ts';
import type { LoadSheet } from './read-rows-file.ts';

/** Lets the server read workbooks: it does so in a process that can do nothing else. */
export const serverSheetReader =
  (session: Pick<App['session'], 'download'>): LoadSheet =>
  (file, sheet, signal) => {
    const query = sheet === undefined ? '' : `?${new URLSearchParams({ sheet }).toString()}`;
    return session.download(`/sheet${query}`, signal, file);
  };
