import { dirname } from 'node:path';
import { silentLog } from '../base/log.ts';
import { parserInProcess, type FileParser } from '../services/file-parser.ts';
import { SourceService } from '../services/source-service.ts';
import { WorkflowService, type LoadedWorkflow } from '../services/workflow-service.ts';
import { ownWorkflowFolder } from '../storage/data-location.ts';
import { findKeeper } from '../storage/find-keeper.ts';
import { TableFiles } from '../files/table-files.ts';
import { WorkflowFiles } from '../storage/workflow-files.ts';

/**
 * Finds what workflows need; the workflows that they call are looked for in the folders of those that call. A data
 * folder keeps each import in a folder of its own: what lies in one may call all of it, as on a server.
 */
export function openSources(parser: FileParser = parserInProcess): SourceService {
  const folders = new Map<string, WorkflowService>();
  const find = async (workflowId: string, calledFrom: string): Promise<LoadedWorkflow | undefined> => {
    const keeper = await findKeeper(calledFrom);
    const folder = keeper === undefined ? dirname(calledFrom) : ownWorkflowFolder(keeper.dataDir);
    const files = new WorkflowFiles(keeper === undefined ? { folders: [folder] } : { own: folder });
    // Problems in files that the caller did not ask for are not logged.
    const workflows = folders.get(folder) ?? new WorkflowService({ files, log: silentLog, parser });
    folders.set(folder, workflows);
    return workflows.find(workflowId);
  };
  return new SourceService({ tables: new TableFiles(), find, parser });
}

/** Finds what workflows need; the workflows that they call are those of the server. */
export const openServerSources = (workflows: WorkflowService, parser: FileParser): SourceService =>
  new SourceService({ tables: new TableFiles(), find: (workflowId) => workflows.find(workflowId), parser });
