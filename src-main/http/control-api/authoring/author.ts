// Procedures for writing workflows: opening their files, drafts, saving, earlier texts, and new workflows.
import { nodeTypeNames, nodeTypes } from '../../../domain/nodes/catalogue.ts';
import type {
  ControlCaller,
  Handlers,
  Input,
  NewWorkflowView,
  NodeType,
  NodeTypeView,
} from '../../../contract/index.ts';
import type { AuditDeps } from '../audit-calls.ts';
import type { EditorClaims } from '../../../services/authoring/editor-claims.ts';
import { editedFiles } from '../../../services/authoring/draft-documents.ts';
import type { AuthoringRoom } from '../../../services/authoring/open.ts';
import type { Services } from '../../../services/services.ts';
import type { LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';
import { findWorkflow } from '../workflows/workflows.ts';

export function createAuthorHandlers(rooms: Services) {
  const { workflows } = rooms.workflows;
  const { drafts, saves, newWorkflows } = rooms.authoring;
  const find = (id: string): Promise<LoadedWorkflow> => findWorkflow(workflows, id);
  return {
    'author.open': async ({ workflowId }) => drafts.open(await find(workflowId)),
    'author.nodeTypes': () => Promise.resolve(nodeTypeNames.map(typeView)),
    ...createWindowHandlers(rooms),
    'author.drafts': () => drafts.list(),
    'author.save': async ({ workflowId, ...request }) => saves.save(await find(workflowId), request),
    'author.history': async ({ workflowId, name }) => drafts.savedTexts((await find(workflowId)).id, name),
    'author.savedText': async ({ workflowId, id, name }) => ({
      text: await drafts.savedText((await find(workflowId)).id, id, name),
    }),
    'author.templates': () => newWorkflows.templates(),
    'author.draftNew': (input) => draftNew(rooms.authoring, input),
    'author.folders': async () => saves.folders(),
    'author.create': async (request) => ({ file: await saves.create(request) }),
  } satisfies Partial<Handlers>;
}

/** The window that edits a workflow, and its texts. */
function createWindowHandlers({ authoring, workflows: { workflows } }: Services) {
  const { drafts, documents, claims } = authoring;
  return {
    'author.claim': async ({ workflowId, editor, takesOver }, caller) => {
      const { id } = await findWorkflow(workflows, workflowId);
      const isEditor = claims.claim(id, holderOf(editor, caller), takesOver);
      // A window that takes over opens the last draft of the one before it.
      await drafts.storePending(id);
      return { isEditor };
    },
    'author.release': async ({ workflowId, editor }, caller) => {
      const holder = holderOf(editor, caller);
      claims.release(workflowId, holder);
      await drafts.storePending(workflowId);
      documents.drop({ workflowId, editor: holder });
      return {};
    },
    'author.change': async ({ workflowId, editor, stores, ...change }, caller) => {
      const loaded = await findWorkflow(workflows, workflowId);
      const holder = holderOf(editor, caller);
      const document = await documents.change({ workflowId, editor: holder }, change);
      if ('textsMissing' in document) return document;
      if ('superseded' in document || stores === undefined) return {};
      claims.assertEditor(workflowId, holder);
      const stored = drafts.storeSoon(loaded, editedFiles(document));
      if (stores === 'now') await drafts.storePending(workflowId);
      const storedAt = await stored;
      return storedAt === undefined ? {} : { storedAt };
    },
  } satisfies Partial<Handlers>;
}

/** A window of a user: no user has another user's claim or texts. */
export const holderOf = (editor: string, caller: ControlCaller | undefined): string =>
  caller === undefined ? editor : `${caller.tokenId} ${editor}`;

/** Each key that a user presses is a change: the first one since the window has its claim has a record for all of them. */
export const continuesEditing =
  (claims: EditorClaims): AuditDeps['isContinued'] =>
  ({ procedure, input, caller }) => {
    if (procedure !== 'author.change') return false;
    const { workflowId, editor } = input as Input<'author.change'>;
    return !claims.isFirstChange(workflowId, holderOf(editor, caller));
  };

function typeView(type: NodeType): NodeTypeView {
  const {
    title,
    summary,
    intents,
    firstField,
    mockTemplate,
    without = [],
  }: Omit<NodeTypeView, 'type'> = nodeTypes[type];
  return { type, title, summary, intents, firstField, mockTemplate, without };
}

async function draftNew(
  { newWorkflows, draftParser }: AuthoringRoom,
  { workflowId: id, ...options }: Input<'author.draftNew'>,
): Promise<NewWorkflowView> {
  const files = await newWorkflows.draft({ id, ...options });
  const { issues } = await draftParser.workflow(files[0]?.text ?? '');
  return { files, issues };
}
