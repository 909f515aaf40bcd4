// Procedures on traces of runs: data of the trace service in the form that pages use.
import type { Handlers } from '../../../contract/index.ts';
import { freshView, statisticsView, throughputView, traceView } from '../../../presenters/trace-views.ts';
import type { Services } from '../../../services/services.ts';

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
  } satisfies Partial<Handlers>;
}
