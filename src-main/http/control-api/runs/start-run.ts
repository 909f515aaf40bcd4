// POST /_rowbench/v1/workflows/<id>/runs: starts a run with rows of the app. The body is the public API's; the query
// holds the other options. A run with edited rows of another run may begin its body with the numbers that they had
// there. With `file=yes` in the query, the body is a file of rows as it lies on the disk.
import type { Context } from 'koa';
import { startInput, type ControlCaller, type StartedRun, type StartInput } from '../../../contract/index.ts';
import { assertNumbersFit } from '../../../services/runs/edited-rows.ts';
import { nothingToRepeat, rerunOfOther, runRequestInvalid } from '../../../domain/run-errors.ts';
import { notForHosted } from '../../../domain/hosted-errors.ts';
import { thisMachine } from '../../../domain/run/run-filter.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Run } from '../../../domain/run/run.ts';
import { readScenario } from '../../../domain/scenarios/parse-scenario.ts';
import type { NewRun, RunInputs } from '../../../services/runs/new-run.ts';
import type { RunsRoom } from '../../../services/runs/open.ts';
import type { Services } from '../../../services/services.ts';
import type { FileParser } from '../../../services/workflows/file-parser.ts';
import { findProfile } from '../../../services/workflows/profile-service.ts';
import type { LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';
import { receiveRows } from '../../receive-rows.ts';
import { assertJsonBody, declaredBytes } from '../../request-body.ts';
import { RowNumbersHead } from '../../row-numbers-head.ts';
import type { ControlRoute } from '../control-route.ts';
import { queryOf, type StreamDeps } from '../stream-rows.ts';
import { receiveFile } from './receive-file.ts';
import { runOriginOf } from './runs.ts';
import { findWorkflow } from '../workflows/workflows.ts';

export const startRunRoute = (rooms: Services, { clock }: StreamDeps): ControlRoute => ({
  method: 'POST',
  name: 'run.start',
  path: /^\/workflows\/([^/]+)\/runs$/,
  answer: async (context, [workflowId = '']) => {
    const isFile = queryOf(context, 'file') === 'yes';
    const input = readInput(context);
    const { samples } = rooms.results;
    const workflow = await findWorkflow(rooms.workflows.workflows, workflowId);
    const repeats = await repeatedRun(rooms.runs, workflowId, input.rerunOf);
    const inputs = await inputsOf(rooms.workflows.parser, workflow, input);
    const choice = input.sample === undefined ? undefined : samples.parse(input.sample);
    if (!isFile) assertJsonBody(context.req);
    const draft = await rooms.runs.runs.beginRun({
      workflow,
      origin: runOriginOf('app', context.state['caller'] as ControlCaller | undefined),
      expectedBytes: declaredBytes(context.req, rooms.access.settings().maxBodyBytes),
      ...(repeats === undefined ? {} : { repeats, part: 'edited' as const }),
      ...(inputs === undefined ? {} : { inputs }),
      readAs: input.readAs,
      ...(input.profile === '' ? { usesDefaults: true } : {}),
    });
    const acceptance = { rooms, clock, context, draft, repeats, isFile };
    const run =
      choice === undefined
        ? await accept(acceptance)
        : await samples.start({ newRun: draft, workflowId, choice }, (writer) => receive(acceptance, writer));
    context.status = 201;
    context.body = { success: true, data: { runId: run.runId, rows: run.rows } satisfies StartedRun };
  },
});

type Acceptance = {
  readonly rooms: Services;
  readonly clock: Clock;
  readonly context: Context;
  readonly draft: NewRun;
  readonly repeats: Run | undefined;
  /** True if the body is a file of rows. */
  readonly isFile: boolean;
};

/** Whatever goes wrong on the way, nothing of the run is left. */
async function accept(acceptance: Acceptance): Promise<Run> {
  const { draft } = acceptance;
  try {
    return await draft.accept(await receive(acceptance, draft));
  } catch (error) {
    await draft.abandon();
    throw error;
  }
}

/** Takes the body's rows, with the numbers that they had in a repeated run. Returns how many they are. */
async function receive(
  { rooms, clock, context, draft, repeats, isFile }: Acceptance,
  writer: Pick<NewRun, 'write' | 'setNumbers'>,
): Promise<number> {
  const write = (lines: Uint8Array): Promise<void> => writer.write(lines);
  const { settings } = rooms.access;
  if (isFile) return receiveFile(context, { settings, clock, write, files: rooms.rowsets.rowsFiles });
  if (repeats === undefined) return receiveRows(context, { settings, clock, write });
  const head = new RowNumbersHead(settings().maxRows);
  let isFirst = true;
  const writeNumbered = (lines: Uint8Array): Promise<void> => {
    if (isFirst && head.numbers !== undefined) writer.setNumbers(head.numbers);
    isFirst = false;
    return write(lines);
  };
  const rows = await receiveRows(context, { settings, clock, write: writeNumbered, head });
  if (rows === 0) throw nothingToRepeat();
  if (head.numbers !== undefined) {
    assertNumbersFit(head.numbers, rows);
    await rooms.runs.runs.assertHasRows(repeats.runId, head.numbers);
    draft.keepNumbers();
  }
  return rows;
}

function readInput({ querystring }: Context): StartInput {
  const query = [...new URLSearchParams(querystring)].filter(([name]) => name !== 'file');
  const values = Object.fromEntries(
    query.map(([name, text]) => [name, name === 'mocks' || name === 'readAs' ? json(text) : text]),
  );
  if (Object.keys(values).length < query.length)
    throw runRequestInvalid('a part of the query is there twice');
  const parsed = startInput.safeParse(values);
  if (parsed.success) return parsed.data;
  throw runRequestInvalid(
    parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '),
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // which no schema takes for an object
  }
}

async function repeatedRun(
  { runs }: RunsRoom,
  workflowId: string,
  rerunOf: string | undefined,
): Promise<Run | undefined> {
  if (rerunOf === undefined) return undefined;
  const { run } = await runs.get(await runs.resolve(rerunOf));
  if (run.workflowId !== workflowId) throw rerunOfOther(workflowId, run.workflowId);
  return run;
}

/**
 * Undefined: as the workflow's setting says, or as the run that is repeated. Throws `invalid_input` for options that a run
 * at a hosted service does not have.
 */
async function inputsOf(
  parser: FileParser,
  workflow: LoadedWorkflow,
  input: StartInput,
): Promise<RunInputs | undefined> {
  const { mode, mocks, scenario, profile: name = '', on } = input;
  if (on !== undefined && on !== thisMachine) return hostedInputs(on, input);
  const chosen = [mode, mocks, scenario, on, name === '' ? undefined : name];
  if (chosen.every((option) => option === undefined)) return undefined;
  return {
    ...(name === '' ? {} : { profile: await findProfile(workflow, name, parser) }),
    ...(mode === undefined ? {} : { mode }),
    ...(mocks === undefined ? {} : { mocks }),
    ...(scenario === undefined ? {} : { scenario: readScenario(scenario) }),
  };
}

function hostedInputs(connection: string, { mode, mocks, scenario, profile = '' }: StartInput): RunInputs {
  if (mode !== undefined || mocks !== undefined) throw notForHosted('mode');
  if (scenario !== undefined) throw notForHosted('scenario');
  if (profile !== '') throw notForHosted('profile');
  return { hosted: { connection } };
}
