// POST /_rowbench/v1/runs/<id>/export: the results of a run as a file, with the columns and rows that the body names.
import { exportInput, type Handlers } from '../../../contract/index.ts';
import { parseWith } from '../../../contract/parse-input.ts';
import { fileTypes } from '../../../domain/rows/export/table-writer.ts';
import type { ResultsRoom } from '../../../services/results/open.ts';
import type { Services } from '../../../services/services.ts';
import type { ControlRoute } from '../control-route.ts';
import { callReading, readCallInput } from '../read-call-input.ts';
import { streamFile } from '../stream-file.ts';
import type { StreamDeps } from '../stream-rows.ts';

export const createExportHandlers = ({ runExports }: ResultsRoom) =>
  ({
    'run.exportProgress': ({ exportId }) => Promise.resolve(runExports.progressOf(exportId) ?? null),
  }) satisfies Partial<Handlers>;

export const exportRoute = (
  { runs: { runs }, results: { runExports } }: Services,
  deps: StreamDeps,
): ControlRoute => ({
  method: 'POST',
  name: 'run.export',
  path: /^\/runs\/([^/]+)\/export$/,
  answer: async (context, [named = '']) => {
    const body = await readCallInput(context.req, { ...callReading, clock: deps.clock });
    const input = parseWith(exportInput, body);
    const runId = await runs.resolve(named);
    const left = new AbortController();
    context.res.once('close', () => left.abort());
    const text = runExports.exportRun({ ...input, runId, signal: left.signal });
    await streamFile(context, { ...deps, text, type: fileTypes[input.options.format] });
  },
});
