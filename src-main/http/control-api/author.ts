// Procedures for writing workflows: opening their files, drafts, saving, earlier texts, and new workflows.
import { AppError, type TextFault } from '../../base/app-error.ts';
import { readCassette } from '../../domain/cassette/read-cassette.ts';
import { issueOfFile, type Issue } from '../../domain/workflow/issue.ts';
import { readTable } from '../../domain/sources/table.ts';
import { isRowsFileName, testsFileName } from '../../domain/workflow/file-names.ts';
import type { CheckedText, Handlers, Input, NewWorkflowView } from '../../contract/index.ts';
import type { EditorClaims } from '../../services/editor-claims.ts';
import type { DraftService } from '../../services/draft-service.ts';
import type { FileParser } from '../../services/file-parser.ts';
import type { NewWorkflowService } from '../../services/new-workflow-service.ts';
import type { SaveService } from '../../services/save-service.ts';
import type { SourceService } from '../../services/source-service.ts';
import { loadWorkflow, type LoadedWorkflow, type WorkflowService } from '../../services/workflow-service.ts';
import { findWorkflow } from './workflows.ts';

export type AuthorDeps = {
  readonly workflows: WorkflowService;
  readonly sources: SourceService;
  readonly drafts: DraftService;
  readonly claims: EditorClaims;
  readonly saves: SaveService;
  readonly newWorkflows: NewWorkflowService;
  /** Parses texts that change while they are typed. */
  readonly draftParser: FileParser;
};

export function createAuthorHandlers(deps: AuthorDeps) {
  const { workflows, drafts, saves, draftParser, newWorkflows, claims } = deps;
  const find = (id: string): Promise<LoadedWorkflow> => findWorkflow(workflows, id);
  return {
    'author.open': async ({ workflowId }) => drafts.open(await find(workflowId)),
    'author.check': async ({ workflowId, text }) => checkText(deps, await find(workflowId), text),
    'author.checkFile': async ({ workflowId, name, text, workflow }) => {
      await find(workflowId);
      return { issues: await checkFile(deps, { name, text, workflow }) };
    },
    'author.edit': async ({ workflowId, text, edits }) => {
      await find(workflowId);
      return draftParser.edit(text, edits);
    },
    'author.form': async ({ workflowId, text, nodeId }) => {
      await find(workflowId);
      return draftParser.form(text, nodeId);
    },
    'author.claim': async ({ workflowId, editor, takesOver }) => ({
      isEditor: claims.claim((await find(workflowId)).id, editor, takesOver),
    }),
    'author.release': async ({ workflowId, editor }) => {
      claims.release(workflowId, editor);
      return {};
    },
    'author.testOfRow': async ({ workflowId, text, testsText, test }) => {
      await find(workflowId);
      return draftParser.testOfRow(testsText, text, test);
    },
    'author.keep': async ({ workflowId, files, editor }) => {
      claims.assertEditor(workflowId, editor);
      return { at: await drafts.keep(await find(workflowId), files) };
    },
    // The workflow may be gone by now, and its draft is still there to be dropped.
    'author.drop': async ({ workflowId, editor }) => {
      claims.assertEditor(workflowId, editor);
      await drafts.drop(workflowId);
      return {};
    },
    'author.drafts': () => drafts.list(),
    'author.save': async ({ workflowId, ...request }) => saves.save(await find(workflowId), request),
    'author.history': async ({ workflowId, name }) => drafts.savedTexts((await find(workflowId)).id, name),
    'author.savedText': async ({ workflowId, id, name }) => ({
      text: await drafts.savedText((await find(workflowId)).id, id, name),
    }),
    'author.templates': () => newWorkflows.templates(),
    'author.draftNew': (input) => draftNew(deps, input),
    'author.folders': async () => saves.folders(),
    'author.create': async (request) => ({ file: await saves.create(request) }),
  } satisfies Partial<Handlers>;
}

type CheckedFile = { readonly name: string; readonly text: string; readonly workflow: string };

/** Never throws on any text. */
async function checkFile(
  { draftParser }: AuthorDeps,
  { name, text, workflow }: CheckedFile,
): Promise<readonly Issue[]> {
  if (testsFileName.test(name)) {
    const parsed = await draftParser.workflow(workflow);
    return (await draftParser.tests(text, parsed.workflow)).issues;
  }
  if (isRowsFileName(name)) return issuesOfRows(name, text);
  const read = readCassette(text);
  return 'problem' in read ? [issueAt(read.textFault, read.problem)] : [];
}

/** @param message for an issue without a position */
function issueAt(fault: TextFault | undefined, message: string): Issue {
  if (fault === undefined) return issueOfFile(message);
  const { line, column, problem } = fault;
  return { severity: 'error', message: problem, line, column };
}

function issuesOfRows(name: string, text: string): readonly Issue[] {
  try {
    readTable(name, text);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [issueAt(error.detail.textFault, error.message)];
    throw error;
  }
}

/** Never throws on any text. */
async function checkText(
  { sources, draftParser }: AuthorDeps,
  { file, location }: LoadedWorkflow,
  text: string,
): Promise<CheckedText> {
  const [loaded, outline] = await Promise.all([
    loadWorkflow({ path: file, location }, text, draftParser),
    draftParser.outline(text),
  ]);
  const problems = loaded.workflow === undefined ? [] : await sources.check(loaded);
  return { ...outline, issues: [...loaded.issues, ...problems] };
}

async function draftNew(
  { newWorkflows, draftParser }: AuthorDeps,
  { workflowId: id, ...options }: Input<'author.draftNew'>,
): Promise<NewWorkflowView> {
  const files = await newWorkflows.draft({ id, ...options });
  const { issues } = await draftParser.workflow(files[0]?.text ?? '');
  return { files, issues };
}
