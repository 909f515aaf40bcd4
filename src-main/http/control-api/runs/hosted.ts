// Procedures on hosted services and runs there.
import type { Handlers, HostedConnectionView } from '../../../contract/index.ts';
import { defaultSharePercent, type StoredConnection } from '../../../domain/hosted/hosted-connection.ts';
import { decodeUtf8 } from '../../../domain/hosted/hosted-answers.ts';
import { countLines } from '../../../domain/rows/line-bytes.ts';
import type { RowLines } from '../../../domain/run/row-numbers.ts';
import { runView } from '../../../presenters/run-view.ts';
import { readEditedRows } from '../../../services/runs/edited-rows.ts';
import type { NewRun } from '../../../services/runs/new-run.ts';
import type { RunsRoom } from '../../../services/runs/open.ts';
import type { Services } from '../../../services/services.ts';
import type { ControlHost } from '../control-host.ts';
import { findWorkflow } from '../workflows/workflows.ts';
import { runOriginOf } from './runs.ts';

/** Time for the test of a connection, in ms. */
const testMs = 60_000;
/** Time for the outputs of a run, in ms: as long as the command line waits for a call. */
const fetchMs = 60_000;

export function createHostedHandlers(
  {
    runs: { runs, hosted },
    workflows: { workflows },
    results: { samples },
    authoring: { recordings },
  }: Services,
  { client }: ControlHost,
) {
  return {
    'hosted.list': async () =>
      hosted.connections.list().map((connection) => connectionView(hosted, connection)),
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
    'hosted.run': async ({ workflowId, connection, lines, readAs, sample, by }, caller) => {
      const workflow = await findWorkflow(workflows, workflowId);
      const choice = sample === undefined ? undefined : samples.parse(sample);
      const rows = readEditedRows({ lines });
      const newRun = await runs.beginRun({
        workflow,
        origin: runOriginOf(by ?? client, caller),
        inputs: { hosted: { connection } },
        readAs,
      });
      const run =
        choice === undefined
          ? await newRun.acceptAll(rows)
          : await samples.start({ newRun, workflowId, choice }, (writer) => writeRows(rows, writer));
      return { runId: run.runId, rows: run.rows };
    },
    'hosted.attach': async ({ runId, idAtService }) =>
      runView(await hosted.runs.attach(await runs.resolve(runId), idAtService)),
    'hosted.fetch': async ({ runId: named }) => {
      const runId = await runs.resolve(named);
      const answer = await hosted.runs.fetchOutput((await runs.get(runId)).run, AbortSignal.timeout(fetchMs));
      return { runId, text: decodeUtf8(answer) };
    },
    'hosted.record': async ({ workflowId, ...choice }) =>
      recordings.record(await findWorkflow(workflows, workflowId), choice),
    'hosted.resend': async ({ runId }) => runView(await hosted.runs.resend(await runs.resolve(runId))),
  } satisfies Partial<Handlers>;
}

/** Returns the number of rows. */
async function writeRows(rows: AsyncIterable<RowLines>, writer: Pick<NewRun, 'write'>): Promise<number> {
  let count = 0;
  for await (const { bytes } of rows) {
    await writer.write(bytes);
    count += countLines(bytes);
  }
  return count;
}

function connectionView({ pacer }: RunsRoom['hosted'], connection: StoredConnection): HostedConnectionView {
  const { sealed: _, ...view } = connection;
  return {
    ...view,
    meters: pacer.metersOf(connection),
    ...(pacer.isHalved(connection.name) ? { isHalved: true } : {}),
  };
}
