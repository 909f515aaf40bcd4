// Workflow files, what they need beside them, and what they may do.
import { ownWorkflowFolder } from '../../storage/data-location.ts';
import { WorkflowFiles } from '../../storage/documents/workflow-files.ts';
import type { Platform } from '../platform.ts';
import { ImportService } from './import-service.ts';
import { openServerSources, openSources } from './source-service.ts';
import { TrustService } from './trust-service.ts';
import { WorkflowService } from './workflow-service.ts';

export type WorkflowsRoom = ReturnType<typeof openWorkflows>;

export function openWorkflows({ options, clock, log, processes: { parser }, backend }: Platform) {
  const { folder, publish, openCassette } = backend;
  const files = filesOf({ options, backend });
  const workflows = new WorkflowService({ files, log, parser });
  backend.onPublished?.(() => void workflows.refresh());
  const trust = new TrustService({ document: options.decisions ?? folder.workflows, clock, log });
  return {
    workflows,
    workflowFiles: files,
    trust,
    /** Finds the tables and called workflows that workflows need. */
    sources: options.relativeCalls === true ? openSources(parser) : openServerSources(workflows, parser),
    imports: new ImportService({ store: folder.imports, workflows, trust, parser }),
    parser,
    publish,
    openCassette,
  };
}

function filesOf({ options, backend }: Pick<Platform, 'options' | 'backend'>): WorkflowFiles {
  const { dataDir, workflowFolders = [], workflowFiles: files = [] } = options;
  const folders = (): readonly string[] => [...workflowFolders, ...(backend.publishedFolders?.() ?? [])];
  return new WorkflowFiles({ own: ownWorkflowFolder(dataDir), folders, files });
}
