// How files of rows are read for a workflow.
import { writtenReadOptions } from '#contract';
import type { App } from '../../shell/app.svelte.ts';
import type { ImportDeps } from './file-import.svelte.ts';
import { MappingMemory } from './mapping-memory.ts';
import type { LoadSheet } from './read-rows-file.ts';

type Server = Pick<App['session'], 'download'>;

/** Lets the server read workbooks: it does so in a process that can do nothing else. */
export const serverSheetReader =
  (session: Server): LoadSheet =>
  (file, options, signal) => {
    const written = Object.entries(writtenReadOptions(options)).map(([name, value]) => [name, String(value)]);
    const query = new URLSearchParams(Object.fromEntries(written) as Record<string, string>).toString();
    return session.download(query === '' ? '/sheet' : `/sheet?${query}`, signal, file);
  };

/** With the mappings that the user has made for files of this workflow. */
export const importDeps = (session: Server, workflowId: string): ImportDeps => ({
  readSheet: serverSheetReader(session),
  memory: new MappingMemory(workflowId),
});
