// A workflow's file as pages show it.
import type { WorkflowSource } from '../contract/index.ts';
import { outlineOf } from '../domain/workflow/outline.ts';
import type { SourceService } from '../services/source-service.ts';
import type { LoadedWorkflow } from '../services/workflow-service.ts';

/** As much as a workflow file may have; what is longer is none, and only its beginning is of use. */
const mostText = 1_000_000;

/** All that a page needs to draw the file; never throws on any text. */
export async function workflowSource(
  loaded: LoadedWorkflow,
  sources: SourceService,
): Promise<WorkflowSource> {
  const { id, file, hash, source, workflow, issues } = loaded;
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const beside = workflow === undefined ? [] : await sources.check(loaded);
  return {
    workflowId: id,
    file,
    hash,
    text: text.slice(0, mostText),
    isCut: text.length > mostText,
    ...outlineOf(source),
    issues: [...issues, ...beside],
  };
}
