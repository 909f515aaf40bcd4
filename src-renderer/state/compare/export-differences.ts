// Saves the rows that a filter of a comparison leaves as a CSV file.
import { differencesCsv, shortId, type ComparisonFilter } from '#contract';
import type { App } from '../shell/app.svelte.ts';
import { browserTarget, saveStream } from '../run/export/save-stream.ts';
import { sideOf } from './compared-side.ts';
import type { Comparison } from './comparison.svelte.ts';

export async function exportDifferences(
  app: App,
  comparison: Comparison,
  filter: ComparisonFilter,
): Promise<void> {
  const { request, summary } = comparison;
  const ids = [request.firstRunId, request.secondRunId].map((side) => shortId(sideOf(side).runId).slice(1));
  const name = `differences-${ids.join('-')}.csv`;
  const lines = differencesCsv((input) => app.session.call('run.comparePage', input), {
    ...request,
    ...filter,
    version: summary?.version,
  });
  const open = (): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => Promise.resolve(encoded(lines));
  if (await saveStream({ name, type: 'text/csv' }, open, browserTarget()))
    app.toasts.done(`Saved as ${name}`);
}

/** Reads as far as the file is written. */
function encoded(lines: AsyncGenerator<string, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await lines.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void lines.return(),
  });
}
