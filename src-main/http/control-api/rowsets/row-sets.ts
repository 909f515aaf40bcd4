// Procedures and routes for row entry and for named row sets.
import type { Context } from 'koa';
import { rowSetName, type Handlers, type RowEntryView, type RowSetView } from '../../../contract/index.ts';
import { invalidQuery } from '../../../domain/request-errors.ts';
import { reachesOut } from '../../../domain/nodes/catalogue.ts';
import type { RowSet } from '../../../domain/rows/row-set.ts';
import type { Settings } from '../../../domain/settings.ts';
import type { Workflow } from '../../../domain/workflow/workflow.ts';
import type { ReceiveRows } from '../../../services/rowsets/row-set-service.ts';
import { profilesFileName } from '../../../domain/profiles/profile-names.ts';
import { describeIssue } from '../../../domain/workflow/issue.ts';
import type { FileParser } from '../../../services/workflows/file-parser.ts';
import { readProfiles } from '../../../services/workflows/profile-service.ts';
import type { Services } from '../../../services/services.ts';
import type { LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';
import { receiveRows } from '../../receive-rows.ts';
import { assertJsonBody, declaredBytes } from '../../request-body.ts';
import type { ControlRoute } from '../control-route.ts';
import { queryOf, streamRows, type StreamDeps } from '../stream-rows.ts';
import { findWorkflow, inputFields } from '../workflows/workflows.ts';

export function createRowSetHandlers({
  workflows,
  rowsets: { rowSets },
  runs: { hosted },
  access: { settings },
}: Services) {
  return {
    'rows.entry': async ({ workflowId }) => {
      const loaded = await findWorkflow(workflows.workflows, workflowId);
      const view = {
        ...entryView(loaded.workflow, settings()),
        ...(await profilesView(loaded, { settings: settings(), parser: workflows.parser })),
        connections: hosted.connections.list().map(({ name }) => name),
      };
      if (!view.modes.includes('record')) return view;
      const { label, isSidecar } = await workflows.openCassette(loaded.id, loaded.file);
      return {
        ...view,
        recording: { name: label, ...(isSidecar === undefined ? {} : { isSidecar }) },
      };
    },
    'rows.list': async ({ workflowId }) => (await rowSets.list(workflowId)).map(rowSetView),
    'rows.rename': async ({ id, name }) => rowSetView(await rowSets.rename(id, name)),
    'rows.remove': async ({ id }) => rowSetView(await rowSets.remove(id)),
    'rows.restore': async ({ id }) => rowSetView(await rowSets.restore(id)),
    'rows.draft': async ({ workflowId }) => {
      const draft = await rowSets.draft(workflowId);
      return draft === undefined ? null : rowSetView(draft);
    },
    'rows.dropDraft': async ({ id }) => {
      await rowSets.dropDraft(id);
      return null;
    },
  } satisfies Partial<Handlers>;
}

/**
 * `GET /row-sets/<id>/rows`, and `POST /workflows/<id>/row-sets`, which stores the rows of its body as a set; with
 * `draft=yes` as the workflow's draft.
 */
export const rowSetRoutes = (
  { workflows: { workflows }, rowsets: { rowSets }, access: { settings } }: Services,
  deps: StreamDeps,
): readonly ControlRoute[] => [
  {
    method: 'GET',
    name: 'rows.read',
    path: /^\/row-sets\/([^/]+)\/rows$/,
    answer: async (context, [id = '']) => streamRows(context, await rowSets.readRows(id), deps),
  },
  {
    method: 'POST',
    name: 'rows.save',
    path: /^\/workflows\/([^/]+)\/row-sets$/,
    answer: async (context, [workflowId = '']) => {
      await findWorkflow(workflows, workflowId);
      const isDraft = queryOf(context, 'draft') === 'yes';
      const name = isDraft ? '' : nameOf(context);
      assertJsonBody(context.req);
      const expectedBytes = declaredBytes(context.req, settings().maxBodyBytes);
      const receive: ReceiveRows = (writer) =>
        receiveRows(context, { settings, clock: deps.clock, write: (lines) => writer.write(lines) });
      const replaces = queryOf(context, 'replaces') === 'yes';
      const set = isDraft
        ? await rowSets.saveDraft({ workflowId, expectedBytes }, receive)
        : await rowSets.save({ workflowId, name, replaces, expectedBytes }, receive);
      context.status = 201;
      context.body = { success: true, data: rowSetView(set) };
    },
  },
];

function nameOf(context: Context): string {
  const name = rowSetName.safeParse(queryOf(context, 'name'));
  if (name.success) return name.data;
  throw invalidQuery('name', name.error.issues.map(({ message }) => message).join('; '));
}

const rowSetView = ({ id, name, rows, bytes, savedAt }: RowSet): RowSetView => ({
  id,
  name,
  rows,
  bytes,
  savedAt,
});

type ProfilesKey = 'profiles' | 'profilesProblem' | 'profile';

async function profilesView(
  loaded: LoadedWorkflow,
  { settings, parser }: { readonly settings: Settings; readonly parser: FileParser },
): Promise<Pick<RowEntryView, ProfilesKey>> {
  const { profiles = [], issues: [issue] = [] } = (await readProfiles(loaded, parser)) ?? {};
  const names = profiles.map(({ name }) => name);
  const { profile } = settings;
  return {
    profiles: names,
    ...(issue === undefined ? {} : { profilesProblem: describeIssue(profilesFileName, issue) }),
    ...(profile !== undefined && names.includes(profile) ? { profile } : {}),
  };
}

/** Row entry for a workflow; without fields and mocks if its file has errors. */
function entryView(
  workflow: Workflow | undefined,
  { maxRows }: Settings,
): Omit<RowEntryView, ProfilesKey | 'connections'> {
  const nodes = workflow?.nodes ?? [];
  const input = nodes.find(({ type }) => type === 'input');
  const callsOut = nodes.some(({ type }) => reachesOut(type) || type === 'workflow');
  return {
    fields: inputFields(workflow),
    hasTestRows: input?.type === 'input' && input.config.testRows !== undefined,
    modes: callsOut ? ['live', 'mocks', 'record', 'fill', 'replay'] : ['live'],
    mocks: nodes.flatMap(({ id, mock = [] }) =>
      mock.length === 0 ? [] : [{ nodeId: id, names: mock.map(([name]) => name) }],
    ),
    maxRows,
  };
}
