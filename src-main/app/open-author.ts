// What it takes to write workflows in the app: drafts, saving, and a parser for texts that change while they are typed.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { AuthorFiles } from '../services/author-files.ts';
import { DraftService } from '../services/draft-service.ts';
import { EditorClaims } from '../services/editor-claims.ts';
import type { FileParser } from '../services/file-parser.ts';
import { SaveService } from '../services/save-service.ts';
import { NewWorkflowService } from '../services/new-workflow-service.ts';
import type { TrustService } from '../services/trust-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { DurableFiles } from '../storage/durable/durable-files.ts';
import type { WorkflowFiles } from '../storage/workflow-files.ts';
import { examplesFolder } from './sibling-of-worker.ts';

type AuthorDeps = {
  readonly folder: DataFolder;
  readonly workflowFiles: WorkflowFiles;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly parser: FileParser;
  readonly readOnly: string | undefined;
  readonly workerScript: string;
  readonly clock: Clock;
  readonly log: Log;
};

export function openAuthor({ folder, workflowFiles, readOnly, ...parts }: AuthorDeps) {
  const fileSystem = nodeFileSystem;
  const files = new AuthorFiles({ files: workflowFiles, fileSystem, readOnly, parser: parts.parser });
  const { history } = folder;
  const drafts = new DraftService({ ...parts, drafts: folder.drafts, history, files });
  const disk = { fileSystem, files: new DurableFiles(fileSystem, parts.clock) };
  return {
    drafts,
    claims: new EditorClaims(parts.clock),
    saves: new SaveService({ ...parts, files, drafts, history, disk }),
    newWorkflows: new NewWorkflowService(examplesFolder(parts.workerScript)),
  };
}
