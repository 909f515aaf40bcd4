// Procedures on previews of drafts.
import type { Handlers } from '../../contract/index.ts';
import type { PreviewService } from '../../services/preview-service.ts';
import type { RunService } from '../../services/run-service.ts';

export type PreviewDeps = { readonly previews: PreviewService; readonly runs: RunService };

const usualRows = 10;

export function createPreviewHandlers({ previews, runs }: PreviewDeps) {
  return {
    'author.preview': async ({ rows, count = usualRows, values = {}, ...draft }) => {
      const choice = rows.of === 'failed' ? { ...rows, runId: await runs.resolve(rows.runId) } : rows;
      return previews.preview({ ...draft, rows: choice, count, values });
    },
    'author.value': async ({ workflowId, ...address }) => previews.value(workflowId, address) ?? null,
    'author.call': (request) => previews.call(request),
    'author.keepAnswer': (request) => previews.keepAnswer(request),
  } satisfies Partial<Handlers>;
}
