// Procedures on traces of runs: data of the trace service in the form that pages use.
import type { Handlers } from '../../../contract/index.ts';
import {
  freshView,
  minimapView,
  rowView,
  statisticsView,
  throughputView,
  traceView,
} from '../../../presenters/trace-views.ts';
import type { Services } from '../../../services/services.ts';

/** Cells per answer: about half a megabyte. */
const maxCells = 10_000;

export function createTraceHandlers({ results: { traces }, runs: { runs }, access }: Services) {
  const prices = () => access.settings().modelPrices;
  return {
    'run.trace': async ({ runId, row }) => {
      const stored = await traces.stored(await runs.resolve(runId), row);
      return stored === undefined ? null : traceView(stored, prices());
    },
    'run.traceRow': async ({ runId, row }) =>
      freshView(await traces.again(await runs.resolve(runId), row), prices()),
    'run.nodes': async ({ runId }) => {
      const { plan, rows, nodes, throughput } = await traces.nodes(await runs.resolve(runId));
      const known = new Map(nodes.map((node) => [node.nodeId, node]));
      const views = plan.nodes.map((node) => statisticsView(node, known.get(node.id), prices()));
      return {
        rows,
        nodes: views,
        ...(throughput === undefined ? {} : { throughput: throughputView(throughput) }),
      };
    },
    'run.nodeValues': async ({ runId, ...request }) => traces.nodeValues(await runs.resolve(runId), request),
    'run.rows': async ({ runId, from, count, values, ...choice }) => {
      const id = await runs.resolve(runId);
      const { nodes } = await traces.nodes(id);
      const maxRows = Math.max(1, Math.floor(maxCells / Math.max(1, nodes.length)));
      const slice = { from, count: Math.min(count, maxRows), values };
      const { plan, total, rows } = await traces.rows(id, choice, slice);
      return { nodeIds: plan.nodes.map(({ id: nodeId }) => nodeId), total, rows: rows.map(rowView) };
    },
    'run.minimap': async ({ runId, pieces }) =>
      minimapView(await traces.rowsInAll(await runs.resolve(runId), pieces)),
    'run.rowLocation': async ({ runId, target, ...choice }) =>
      (await traces.locateRow(await runs.resolve(runId), choice, target)) ?? null,
  } satisfies Partial<Handlers>;
}
