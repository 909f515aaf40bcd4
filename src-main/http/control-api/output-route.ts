// GET /_rowbench/v1/runs/<id>/outputs?format=csv: a run's outputs as a file, written as they are read. For a run that
// is not completed, the outputs so far. With `text=…`, only outputs that hold this text, as the search of the page
// finds them.
import type { Context } from 'koa';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { invalidQuery } from '../../domain/request-errors.ts';
import { tooManyExports } from '../../domain/store-errors.ts';
import { textFinder } from '../../domain/rows/find-text.ts';
import { outputFormats, type OutputFormat } from '../../domain/rows/output-writer.ts';
import { fileTypes } from '../../domain/rows/table-writer.ts';
import { outputPieces } from '../../services/output-pieces.ts';
import { outputText } from '../../services/output-text.ts';
import type { RunService } from '../../services/run-service.ts';
import type { Route } from '../route.ts';
import { streamFile } from './stream-file.ts';

type OutputDeps = { readonly runs: RunService; readonly clock: Clock; readonly log: Log };

/** Maximum concurrent exports that look into each output. Each holds one output whole while its reader is slow. */
const maxInspectingReaders = 4;

export const outputRoute = (deps: OutputDeps): Route => {
  let looking = 0;
  return {
    method: 'GET',
    path: /^\/runs\/([^/]+)\/outputs$/,
    answer: async (context, [named = '']) => {
      const { format, searched } = queryOf(context);
      const { runs } = deps;
      const runId = await runs.resolve(named);
      const { run } = await runs.get(runId);
      const rows = run.status === 'completed' ? run.rows : undefined;
      const type = fileTypes[format];
      if (format !== 'csv' && searched === '') {
        const text = outputPieces(runs.readOutputPieces(runId, rows), format);
        return streamFile(context, { ...deps, text, type });
      }
      if (looking >= maxInspectingReaders) throw tooManyExports(maxInspectingReaders);
      looking += 1;
      const matches = searched === '' ? undefined : textFinder(searched);
      const text = outputText(runs.readOutputs(runId, rows), format, { reader: 'people', matches });
      return streamFile(context, { ...deps, text, type }).finally(() => (looking -= 1));
    },
  };
};

function queryOf({ querystring }: Context): { readonly format: OutputFormat; readonly searched: string } {
  const query = new URLSearchParams(querystring);
  const requested = query.get('format') ?? 'json';
  const format = outputFormats.find((known) => known === requested);
  if (format === undefined) throw invalidQuery('format', outputFormats.map((name) => `"${name}"`).join(', '));
  return { format, searched: query.get('text') ?? '' };
}
