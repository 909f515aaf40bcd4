// Routes for rows that are too many for one call: those of a run, of a row set, of a workflow's tests, and into a set.
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { rowSetName, type RowSetView } from '../../contract/index.ts';
import { invalidQuery, noTestRows, workflowUnknown } from '../../domain/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { rowNumberAt, type RowLines } from '../../domain/run/row-numbers.ts';
import type { Settings } from '../../domain/settings.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import type { RowSetService } from '../../services/row-set-service.ts';
import type { RunService } from '../../services/run-service.ts';
import { readTestRows } from '../../services/test-rows.ts';
import type { LoadedWorkflow, WorkflowService } from '../../services/workflow-service.ts';
import { receiveRows } from '../receive-rows.ts';
import { assertJsonBody, declaredBytes } from '../request-body.ts';
import { patienceMs, writeOut, writeSlices, type Patience } from '../write-out.ts';
import type { Route } from '../route.ts';
import { outputRoute } from './output-route.ts';

export type RowRouteParts = {
  readonly workflows: WorkflowService;
  readonly runs: RunService;
  readonly rowSets: RowSetService;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly log: Log;
};

export const rowRoutes = (parts: RowRouteParts): readonly Route[] => [
  outputRoute(parts),
  {
    method: 'GET',
    path: /^\/runs\/([^/]+)\/rows$/,
    answer: async (context, [runId = '']) => {
      const which = queryOf(context, 'which') ?? 'all';
      if (which !== 'all' && which !== 'failed') throw invalidQuery('which', '"all" or "failed"');
      const rows = await parts.runs.readRows(await parts.runs.resolve(runId), which);
      await streamRows(context, rows, parts);
    },
  },
  {
    method: 'GET',
    path: /^\/row-sets\/([^/]+)\/rows$/,
    answer: (context, [id = '']) => streamRows(context, parts.rowSets.readRows(id), parts),
  },
  {
    method: 'GET',
    path: /^\/workflows\/([^/]+)\/test-rows$/,
    answer: async (context, [workflowId = '']) => {
      const loaded = await findWorkflow(parts.workflows, workflowId);
      if (loaded.workflow === undefined) throw noTestRows(workflowId);
      await streamRows(context, readTestRows(loaded), parts);
    },
  },
  {
    method: 'POST',
    path: /^\/workflows\/([^/]+)\/row-sets$/,
    answer: async (context, [workflowId = '']) => {
      await findWorkflow(parts.workflows, workflowId);
      const name = rowSetName.safeParse(queryOf(context, 'name'));
      if (!name.success)
        throw invalidQuery('name', name.error.issues.map(({ message }) => message).join('; '));
      assertJsonBody(context.req);
      const wanted = {
        workflowId,
        name: name.data,
        replaces: queryOf(context, 'replaces') === 'yes',
        expectedBytes: declaredBytes(context.req, parts.settings().maxBodyBytes),
      };
      const { id, rows, bytes, savedAt } = await parts.rowSets.keep(wanted, (draft) =>
        receiveRows(context, { ...parts, write: (lines) => draft.write(lines) }),
      );
      context.status = 201;
      context.body = {
        success: true,
        data: { id, name: name.data, rows, bytes, savedAt } satisfies RowSetView,
      };
    },
  },
];

const queryOf = ({ querystring }: Context, name: string): string | undefined =>
  new URLSearchParams(querystring).get(name) ?? undefined;

async function findWorkflow(workflows: WorkflowService, workflowId: string): Promise<LoadedWorkflow> {
  const loaded = workflowIdPattern.test(workflowId) ? await workflows.find(workflowId) : undefined;
  if (loaded === undefined) throw workflowUnknown(workflowId);
  return loaded;
}

type Streaming = Pick<RowRouteParts, 'clock' | 'log'>;

const largeBytes = 1_000_000;

/**
 * Answers one line a row, `[number,row]`. Throws what goes wrong before the first byte; after that the connection is
 * broken off, so that some of the rows are never taken for all.
 */
async function streamRows(
  context: Context,
  rows: AsyncIterable<RowLines>,
  { clock, log }: Streaming,
): Promise<void> {
  const { res: response } = context;
  const batches = rows[Symbol.asyncIterator]();
  let batch = await batches.next();
  context.respond = false;
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  try {
    while (batch.done !== true && !response.destroyed) {
      await writeNumbered(response, batch.value, { clock, ms: patienceMs });
      batch = await batches.next();
    }
    response.end();
  } catch (error) {
    log.error({ error }, 'rows could not be read to their end');
    response.destroy();
  } finally {
    await batches.return?.();
  }
}

/** Writes rows with their numbers. Large rows are not copied, however slowly the client reads them. */
async function writeNumbered(response: ServerResponse, lines: RowLines, patience: Patience): Promise<void> {
  if (lines.bytes.length <= largeBytes) return writeOut(response, numbered(lines), patience);
  let index = 0;
  for (const line of eachLine(lines.bytes)) {
    await writeOut(response, Buffer.from(`[${rowNumberAt(lines, index)},`, 'latin1'), patience);
    await writeSlices(response, line, patience);
    await writeOut(response, end, patience);
    index += 1;
  }
}

function numbered(lines: RowLines): Buffer {
  const parts: Uint8Array[] = [];
  let index = 0;
  for (const line of eachLine(lines.bytes)) {
    parts.push(Buffer.from(`[${rowNumberAt(lines, index)},`, 'latin1'), line, end);
    index += 1;
  }
  return Buffer.concat(parts);
}

const end = Buffer.from(']\n');
