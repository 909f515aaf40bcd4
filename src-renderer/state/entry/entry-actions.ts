// Requests of row entry to the server: load rows, save rows, and start a run.
import type {
  FailureHead,
  FailureLine,
  JsonObject,
  SentFile,
  RowSetView,
  StartedRun,
  StartInput,
} from '#contract';
import type { Session } from '../live/session.svelte.ts';
import { readAsOf, type PreviewedFile } from './files/previewed-file.ts';
import type { OriginalRun, RowEditor } from './row-editor.svelte.ts';
import { startInputOf } from './run-connection.ts';
import { maxSheetRows, readLines, rowsBody, readRowStream, type StreamedRows } from './rows-text.ts';
import { jsonRows } from './grid/sheet-rows.ts';
import { explainFailures, type RowFailures } from './row-failures.ts';

type Server = Pick<Session, 'upload' | 'download'>;
type Downloads = Pick<Session, 'download'>;

/** Starts a run of the editor's rows. Throws `ControlError`. */
export async function startRun(server: Server, workflowId: string, editor: RowEditor): Promise<StartedRun> {
  const { rows, columns, numbers } = editor.toRun;
  const { edition } = editor.sheet;
  const address = startPath(workflowId, editor.start);
  const body = await rowsBody(jsonRows(rows, columns), numbers);
  const answer = await server.upload(address, body);
  // Rows that the user typed meanwhile were not sent.
  editor.markSaved(edition);
  return answer as StartedRun;
}

/**
 * Starts a run of all rows of the file in the preview: the server reads the file itself, with the options and columns of
 * the preview. Throws `ControlError`, or an error that the upload was stopped.
 */
export async function startFileRun(
  server: Server,
  {
    workflowId,
    editor,
    file,
  }: { readonly workflowId: string; readonly editor: RowEditor; readonly file: PreviewedFile },
  signal: AbortSignal,
): Promise<StartedRun> {
  const { source, read, columns } = file;
  const readAs = readAsOf(file);
  const reading: SentFile = {
    name: read.name,
    options: readAs.options,
    columns: columns.map(({ name, target, type, repairs }) => ({
      name,
      target,
      type,
      repairs: [...repairs],
    })),
  };
  const body = new Blob([`${JSON.stringify(reading)}\n`, source], { type: 'application/octet-stream' });
  const path = startPath(
    workflowId,
    startInputOf({ ...editor.options, sample: undefined, readAs }, undefined),
  );
  return (await server.upload(
    `${path}${path.includes('?') ? '&' : '?'}file=yes`,
    body,
    signal,
  )) as StartedRun;
}

/** Starts a run of the workflow's test rows. Resolves to its id. Throws an error with a message for the user. */
export async function runTestRows(
  server: Server,
  workflowId: string,
  options: Pick<StartInput, 'mode' | 'profile' | 'scenario'> = {},
): Promise<string> {
  const rows = await downloadTestRows(server, workflowId);
  const answer = await server.upload(startPath(workflowId, options), await rowsBody(rows));
  return (answer as StartedRun).runId;
}

/** The test rows of the saved workflow. Throws an error with a message for the user. */
export async function downloadTestRows(
  server: Downloads,
  workflowId: string,
): Promise<readonly JsonObject[]> {
  return (await readRowStream(await server.download(testRowsPath(workflowId)), maxSheetRows)).rows;
}

const testRowsPath = (workflowId: string): string => `/workflows/${workflowId}/test-rows`;

/** Saves the editor's rows as a row set. Throws `ControlError`. */
export async function saveRowSet(
  server: Server,
  editor: RowEditor,
  to: { readonly workflowId: string; readonly name: string; readonly replaces: boolean },
): Promise<RowSetView> {
  const { edition } = editor.sheet;
  const query = new URLSearchParams({ name: to.name, ...(to.replaces ? { replaces: 'yes' } : {}) });
  const path = `/workflows/${encodeURIComponent(to.workflowId)}/row-sets?${query.toString()}`;
  const saved = (await server.upload(path, await rowsBody(editor.sheet.eachRow()))) as RowSetView;
  editor.markSaved(edition);
  editor.savedSetCount += 1;
  return saved;
}

/** Loads rows of a run into the editor, with their numbers. Throws an error with a message for the user. */
export async function loadRunRows(
  server: Downloads & Pick<Session, 'call'>,
  editor: RowEditor,
  from: OriginalRun,
): Promise<void> {
  const { hosted } = await server.call('run.show', { runId: from.runId });
  const { rows, numbers, failures } = await readRunRows(server, from);
  const ran = hosted === undefined ? {} : { on: hosted.connection };
  editor.replaceWithRun(rows, numbers, { ...from, ...ran });
  if (failures !== undefined) editor.explain(from.runId, failures);
  editor.markSaved();
}

/** Loads why the editor's rows failed in the run that they come from, for example after a reload of the page. */
export async function loadFailures(server: Downloads, editor: RowEditor): Promise<void> {
  const { origin } = editor;
  if (origin === undefined) return;
  const { failures } = await readRunRows(server, origin);
  if (failures !== undefined) editor.explain(origin.runId, failures);
}

type RunRows = StreamedRows & {
  /** Absent if they cannot be read: the rows can be fixed without them. */
  readonly failures: RowFailures | undefined;
};

async function readRunRows(
  server: Downloads,
  { runId, rows: which, selection }: OriginalRun,
): Promise<RunRows> {
  const path = `/runs/${encodeURIComponent(runId)}`;
  const stream =
    selection === undefined
      ? server.download(`${path}/rows?which=${which}`)
      : server.download(`${path}/rows`, undefined, { selection });
  const read = await readRowStream(await stream, maxSheetRows);
  const failuresPath = `${path}/failures${selection?.latest === true ? '?latest=yes' : ''}`;
  try {
    const lines: unknown[] = [];
    await readLines(await server.download(failuresPath), (line) => lines.push(line));
    const [head, ...failures] = lines as [FailureHead, ...FailureLine[]];
    return { ...read, failures: await explainFailures({ head, lines: failures }, read) };
  } catch {
    return { ...read, failures: undefined };
  }
}

/** Loads the workflow's test rows into the editor. Throws an error with a message for the user. */
export const loadTestRows = (server: Server, editor: RowEditor, workflowId: string): Promise<void> =>
  loadStoredRows(server, editor, { path: testRowsPath(workflowId), label: 'test rows' });

/** Loads stored rows into the editor. Throws an error with a message for the user. */
export async function loadStoredRows(
  server: Server,
  editor: RowEditor,
  from: { readonly path: string; readonly label: string },
): Promise<void> {
  const { rows } = await readRowStream(await server.download(from.path), maxSheetRows);
  editor.replaceRows(rows, from.label);
  editor.markSaved();
}

/** Path of the request that starts a run, below the prefix of the control API. */
export function startPath(
  workflowId: string,
  { mode, mocks, scenario, rerunOf, sample, profile, on, readAs }: StartInput,
): string {
  const query = new URLSearchParams({
    ...(mode === undefined ? {} : { mode }),
    ...(mocks === undefined || Object.keys(mocks).length === 0 ? {} : { mocks: JSON.stringify(mocks) }),
    ...(scenario === undefined || scenario.trim() === '' ? {} : { scenario: scenario.trim() }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
    ...(sample === undefined ? {} : { sample }),
    ...(profile === undefined ? {} : { profile }),
    ...(on === undefined ? {} : { on }),
    ...(readAs === undefined ? {} : { readAs: JSON.stringify(readAs) }),
  }).toString();
  return `/workflows/${encodeURIComponent(workflowId)}/runs${query === '' ? '' : `?${query}`}`;
}
