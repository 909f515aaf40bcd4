// Publishes files that a client has sent to the workflows of a team. Who calls: the control API.
import { noTeamToPublishTo, publishRefused, publishTooLarge } from '../../domain/workflow-errors.ts';
import {
  maxPublishBytes,
  type Publication,
  type Publish,
  type PublishedFile,
} from '../../domain/workflow/publication.ts';
import type { FileParser } from './file-parser.ts';
import { planPublishOfFiles } from './plan-publish.ts';
import type { WorkflowService } from './workflow-service.ts';

export type PublishDeps = {
  readonly parser: FileParser;
  readonly workflows: Pick<WorkflowService, 'refresh'>;
  /** Absent: the server has a data folder. */
  readonly publish?: Publish | undefined;
};

/** Throws `invalid_input` for more bytes than a server takes. */
export function assertSendable(files: readonly PublishedFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > maxPublishBytes) throw publishTooLarge(bytes, maxPublishBytes);
}

/** Checks the files as the command line does, which may be of another version. Throws `invalid_input` with all problems. */
export async function publishUploaded(
  { parser, workflows, publish }: PublishDeps,
  files: readonly PublishedFile[],
  publishedBy: string,
): Promise<Publication & { readonly workflowIds: readonly string[] }> {
  if (publish === undefined) throw noTeamToPublishTo();
  assertSendable(files);
  const plan = await planPublishOfFiles(files, parser);
  if (plan.problems.length > 0) throw publishRefused(plan.problems);
  const publication = await publish(plan.files, publishedBy);
  // The client's next call finds them.
  await workflows.refresh();
  return { ...publication, workflowIds: plan.workflows.map(({ workflow }) => workflow.id) };
}
