// GET /_rowbench/v1/runs/<id>/outputs?format=csv: a run's outputs as a file, written as they are read. Of a run that is
// not completed, what is there of it. With `text=…`, only the outputs that hold it, as the search of the page finds them.
import type { Context } from 'koa';
import { invalidQuery } from '../../domain/errors.ts';
import type { Log } from '../../base/log.ts';
import { textFinder } from '../../domain/rows/find-text.ts';
import { outputFormats, type OutputFormat } from '../../domain/rows/output-writer.ts';
import { outputText } from '../../services/output-text.ts';
import type { RunService } from '../../services/run-service.ts';
import { writeOut } from '../write-out.ts';
import type { ControlRoute } from './control-route.ts';

const types: Readonly<Record<OutputFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

export const outputRoute = ({ runs, log }: { runs: RunService; log: Log }): ControlRoute => ({
  method: 'GET',
  path: /^\/runs\/([^/]+)\/outputs$/,
  answer: async (context, [named = '']) => {
    const query = new URLSearchParams(context.querystring);
    const wanted = query.get('format') ?? 'json';
    const format = outputFormats.find((known) => known === wanted);
    if (format === undefined)
      throw invalidQuery('format', outputFormats.map((name) => `"${name}"`).join(', '));
    const runId = await runs.resolve(named);
    const { run } = await runs.get(runId);
    const lines = runs.readOutputs(runId, run.status === 'completed' ? run.rows : undefined);
    const searched = query.get('text') ?? '';
    const holds = searched === '' ? undefined : textFinder(searched);
    const text = outputText(lines, format, { reader: 'people', holds });
    await streamText(context, { text, type: types[format], log });
  },
});

type Streamed = { readonly text: AsyncGenerator<string>; readonly type: string; readonly log: Log };

/** Throws what goes wrong before the first byte; after that the connection is broken off. */
async function streamText(context: Context, { text, type, log }: Streamed): Promise<void> {
  const { res: response } = context;
  let piece = await text.next();
  context.respond = false;
  response.writeHead(200, { 'Content-Type': type });
  try {
    while (piece.done !== true && !response.destroyed) {
      await writeOut(response, Buffer.from(piece.value));
      piece = await text.next();
    }
    response.end();
  } catch (error) {
    log.error({ error }, 'outputs could not be read to their end');
    response.destroy();
  } finally {
    await text.return(undefined);
  }
}
