// Procedures on previews of drafts.
import type { CheckedQuestionInput, Handlers } from '../../../contract/index.ts';
import type { AuthoringRoom } from '../../../services/authoring/open.ts';
import type { PreviewRequest } from '../../../services/authoring/preview-service.ts';
import type { RunsRoom } from '../../../services/runs/open.ts';

const usualRows = 10;

/** The request of a preview, with its defaults. */
export async function previewRequest(
  { runs }: RunsRoom,
  { rows, count = usualRows, values = {}, ...draft }: CheckedQuestionInput<'preview'> & DraftOfWorkflow,
): Promise<PreviewRequest> {
  const choice = rows.of === 'failed' ? { ...rows, runId: await runs.resolve(rows.runId) } : rows;
  return { ...draft, rows: choice, count, values };
}

type DraftOfWorkflow = Pick<PreviewRequest, 'workflowId' | 'text' | 'tables'>;

export function createPreviewHandlers({ previews }: AuthoringRoom) {
  return {
    'author.call': (request) => previews.call(request),
    'author.keepAnswer': (request) => previews.keepAnswer(request),
    'author.forgetAnswer': async (request) => {
      previews.forgetAnswer(request);
      return null;
    },
  } satisfies Partial<Handlers>;
}
