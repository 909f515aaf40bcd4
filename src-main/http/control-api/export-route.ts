// POST /_rowbench/v1/runs/<id>/export: the results of a run as a file, with the columns and rows that the body names.
import { exportInput, type Handlers } from '../../contract/index.ts';
import { parseWith } from '../../contract/parse-input.ts';
import { fileTypes } from '../../domain/rows/table-writer.ts';
import type { ExportService } from '../../services/export-service.ts';
import type { RunService } from '../../services/run-service.ts';
import type { ControlRoute } from './control-route.ts';
import { callReading, readCallInput } from './read-call-input.ts';
import { streamFile } from './stream-file.ts';
import type { StreamDeps } from './stream-rows.ts';

export const createExportHandlers = (runExports: ExportService) =>
  ({
    'run.exportProgress': ({ exportId }) => Promise.resolve(runExports.progressOf(exportId) ?? null),
  }) satisfies Partial<Handlers>;

export type ExportRouteDeps = StreamDeps & {
  readonly runs: RunService;
  readonly runExports: ExportService;
};

export const exportRoute = ({ runs, runExports, ...deps }: ExportRouteDeps): ControlRoute => ({
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
