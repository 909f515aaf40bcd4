// Writing workflows in the app: drafts, saving, the editor's help, and previews.
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { DurableFiles } from '../../storage/durable/durable-files.ts';
import type { AccessRoom } from '../access/open.ts';
import { examplesFolder, type Platform } from '../platform.ts';
import type { RowsetsRoom } from '../rowsets/open.ts';
import type { RunsRoom } from '../runs/open.ts';
import type { WorkflowsRoom } from '../workflows/open.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';
import { AuthorFiles } from './author-files.ts';
import { createAnswerRecorder } from './called-answers.ts';
import { DraftDocuments } from './draft-documents.ts';
import { DraftService } from './draft-service.ts';
import { EditorClaims } from './editor-claims.ts';
import { LanguageService } from './language-service.ts';
import { NewWorkflowService } from './new-workflow-service.ts';
import { PreviewRowReader } from './preview-row-reader.ts';
import { PreviewService } from './preview-service.ts';
import { AnswerRecording } from './record-answers.ts';
import { SaveService } from './save-service.ts';

export type AuthoringRoom = ReturnType<typeof openAuthoring>;

type RoomsBelow = {
  readonly runs: RunsRoom;
  readonly workflows: WorkflowsRoom;
  readonly rowsets: RowsetsRoom;
  readonly access: AccessRoom;
};

export function openAuthoring(platform: Platform, below: RoomsBelow) {
  const { options, clock, log, processes, backend } = platform;
  const { parser, draftParser } = processes;
  const { drafts: draftStore, history } = backend.folder;
  const { workflows, workflowFiles, trust, sources } = below.workflows;
  const fileSystem = nodeFileSystem;
  const files = new AuthorFiles({ files: workflowFiles, fileSystem, readOnly: options.readOnly, parser });
  const drafts = new DraftService({ workflows, log, drafts: draftStore, history, files, clock });
  const disk = { fileSystem, files: new DurableFiles(fileSystem, clock) };
  const saves = new SaveService({ workflows, trust, parser, files, drafts, history, disk });
  const previews = openPreviews(platform, below);
  return {
    drafts,
    documents: new DraftDocuments(clock),
    claims: new EditorClaims(clock),
    saves,
    recordings: new AnswerRecording({ runs: below.runs.runs, files, saves }),
    newWorkflows: new NewWorkflowService(examplesFolder(options.workerScript), draftParser),
    previews,
    language: new LanguageService({
      workflows,
      sources,
      secrets: below.access.secrets,
      previews,
      parser: draftParser,
    }),
    draftParser,
    /** Throws `invalid_input` if the workflow's files cannot be written. */
    assertWritable: (loaded: Pick<LoadedWorkflow, 'file'>) => files.assertWritable(loaded),
  };
}

function openPreviews({ clock, settings, processes, backend }: Platform, below: RoomsBelow): PreviewService {
  const { workflows, trust, sources } = below.workflows;
  const { runs, liveUpstream, cassetteOf } = below.runs;
  const { rowSets } = below.rowsets;
  return new PreviewService({
    workflows,
    trust,
    sources,
    settings,
    clock,
    parser: processes.draftParser,
    pool: processes.previewPool,
    input: new PreviewRowReader({ runs, rowSets, store: backend.stores.runs }),
    liveUpstream,
    readCassette: async (id) => (await cassetteOf(id)).read(),
    recordAnswers: createAnswerRecorder(cassetteOf, clock),
  });
}
