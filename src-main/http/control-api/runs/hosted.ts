// Procedures on hosted services and runs there.
import type { Handlers, HostedConnectionView } from '../../../contract/index.ts';
import { defaultSharePercent, type StoredConnection } from '../../../domain/hosted/hosted-connection.ts';
import { runView } from '../../../presenters/run-view.ts';
import { readEditedRows } from '../../../services/runs/edited-rows.ts';
import type { RunsRoom } from '../../../services/runs/open.ts';
import type { Services } from '../../../services/services.ts';
import type { ControlHost } from '../control-host.ts';
import { findWorkflow } from '../workflows/workflows.ts';
import { runOriginOf } from './runs.ts';

/** Time for the test of a connection, in ms. */
const testMs = 60_000;

export function createHostedHandlers(
  { runs: { runs, hosted }, workflows: { workflows }, authoring: { recordings } }: Services,
  { client }: ControlHost,
) {
  return {
    'hosted.list': async () =>
      hosted.connections.list().map((connection) => connectionView(hosted, connection)),
    'hosted.check': async (address) => ({ origin: hosted.connections.check(address) }),
    'hosted.add': async ({ sharePercent = defaultSharePercent, isLan, match, ...connection }) =>
      connectionView(
        hosted,
        await hosted.connections.add({
          ...connection,
          sharePercent,
          ...(isLan === undefined ? {} : { isLan }),
          ...(match === undefined ? {} : { match }),
        }),
      ),
    'hosted.remove': async ({ name }) => {
      hosted.runs.assertUnused(name);
      return connectionView(hosted, await hosted.connections.remove(name));
    },
    'hosted.test': ({ name, workflowId }) =>
      hosted.client.probe(hosted.connections.get(name), workflowId, AbortSignal.timeout(testMs)),
    'hosted.run': async ({ workflowId, connection, lines, readAs, by }, caller) => {
      const workflow = await findWorkflow(workflows, workflowId);
      const rows = readEditedRows({ lines });
      const newRun = await runs.beginRun({
        workflow,
        origin: runOriginOf(by ?? client, caller),
        inputs: { hosted: { connection } },
        readAs,
      });
      const run = await newRun.acceptAll(rows);
      return { runId: run.runId, rows: run.rows };
    },
    'hosted.attach': async ({ runId, idAtService }) =>
      runView(await hosted.runs.attach(await runs.resolve(runId), idAtService)),
    'hosted.record': async ({ workflowId, ...choice }) =>
      recordings.record(await findWorkflow(workflows, workflowId), choice),
    'hosted.resend': async ({ runId }) => runView(await hosted.runs.resend(await runs.resolve(runId))),
  } satisfies Partial<Handlers>;
}

function connectionView({ pacer }: RunsRoom['hosted'], connection: StoredConnection): HostedConnectionView {
  const { sealed: _, ...view } = connection;
  return {
    ...view,
    meters: pacer.metersOf(connection),
    ...(pacer.isHalved(connection.name) ? { isHalved: true } : {}),
  };
}
