// The control API's verbs for row entry and for named row sets.
import type { Handlers, RowEntryView, RowSetView } from '../contract/index.ts';
import { workflowUnknown } from '../domain/errors.ts';
import { reachesOut } from '../domain/nodes/catalogue.ts';
import type { RowSet } from '../domain/rows/row-set.ts';
import type { Settings } from '../domain/settings.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import type { RowSetService } from '../services/row-set-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import { inputFields } from './workflow-handlers.ts';

type RowHandlers = Pick<Handlers, Extract<keyof Handlers, `rows.${string}`>>;

type RowHandlerParts = {
  readonly workflows: WorkflowService;
  readonly rowSets: RowSetService;
  readonly settings: () => Settings;
};

export function createRowHandlers({ workflows, rowSets, settings }: RowHandlerParts): RowHandlers {
  return {
    'rows.entry': async ({ workflowId }) => {
      const loaded = await workflows.find(workflowId);
      if (loaded === undefined) throw workflowUnknown(workflowId);
      return entryView(loaded.workflow, settings());
    },
    'rows.list': async ({ workflowId }) => rowSets.list(workflowId).map(rowSetView),
    'rows.rename': async ({ id, name }) => rowSetView(await rowSets.rename(id, name)),
    'rows.remove': async ({ id }) => rowSetView(await rowSets.remove(id)),
    'rows.restore': async ({ id }) => rowSetView(await rowSets.restore(id)),
  };
}

const rowSetView = ({ id, name, rows, bytes, savedAt }: RowSet): RowSetView => ({
  id,
  name,
  rows,
  bytes,
  savedAt,
});

/** Row entry for a workflow; without fields and mocks if its file has errors. */
function entryView(workflow: Workflow | undefined, { scenarios, maxRows }: Settings): RowEntryView {
  const nodes = workflow?.nodes ?? [];
  const input = nodes.find(({ type }) => type === 'input');
  const callsOut = nodes.some(({ type }) => reachesOut(type) || type === 'workflow');
  return {
    fields: inputFields(workflow),
    hasTestRows: input?.type === 'input' && input.config.testRows !== undefined,
    modes: callsOut ? ['live', 'mocks', 'record', 'replay'] : ['live'],
    mocks: nodes.flatMap(({ id, mock = [] }) =>
      mock.length === 0 ? [] : [{ nodeId: id, names: mock.map(([name]) => name) }],
    ),
    hasScenarios: scenarios.header,
    maxRows,
  };
}
