import { dirname } from 'node:path';
import { silentLog } from '../base/log.ts';
import { SourceService } from '../services/source-service.ts';
import { WorkflowService, type LoadedWorkflow } from '../services/workflow-service.ts';
import { TableFiles } from '../storage/table-files.ts';
import { WorkflowFiles } from '../storage/workflow-files.ts';

/** Finds what workflows need; the workflows that they call are looked for in the folders of those that call. */
export function openSources(): SourceService {
  const folders = new Map<string, WorkflowService>();
  const find = (workflowId: string, calledFrom: string): Promise<LoadedWorkflow | undefined> => {
    const folder = dirname(calledFrom);
    const files = new WorkflowFiles({ folders: [folder] });
    // What is wrong with files that nobody asked for is no news.
    const workflows = folders.get(folder) ?? new WorkflowService({ files, log: silentLog });
    folders.set(folder, workflows);
    return workflows.find(workflowId);
  };
  return new SourceService({ tables: new TableFiles(), find });
}

/** Finds what workflows need; the workflows that they call are those of the server. */
export const openServerSources = (workflows: WorkflowService): SourceService =>
  new SourceService({ tables: new TableFiles(), find: (workflowId) => workflows.find(workflowId) });
