// The control API as a table: each procedure with its input and its answer. A server that lacks a handler, or a client
// with a misspelt name, does not compile.
import type { z } from 'zod';
import type { Role } from '../domain/access/role.ts';
import { apiLogProcedures } from './api/api-log.ts';
import { authorProcedures } from './authoring/author.ts';
import { askProcedures } from './authoring/questions.ts';
import { browserProcedures } from './access/browsers.ts';
import { chainProcedures } from './runs/chains.ts';
import { comparisonProcedures } from './results/comparisons.ts';
import { exportProcedures } from './results/exports.ts';
import { keyProcedures } from './access/keys.ts';
import { newWorkflowProcedures } from './authoring/new-workflow.ts';
import { previewProcedures } from './authoring/previews.ts';
import { queryProcedures } from './results/queries.ts';
import { rowProcedures } from './rowsets/row-sets.ts';
import { findProcedures, rowDataProcedures } from './results/run-data.ts';
import { hostedProcedures } from './runs/hosted.ts';
import { runProcedures } from './runs/runs.ts';
import { sampleProcedures } from './results/samples.ts';
import { secretProcedures } from './access/secrets.ts';
import { settingsProcedures } from './access/settings.ts';
import { serverProcedures } from './api/server.ts';
import { tokenProcedures } from './access/tokens.ts';
import { traceProcedures } from './results/traces.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import type { AccessRule, ValueOf } from './procedure.ts';
import { workflowProcedures } from './workflows/workflows.ts';

/** The routes of the control API besides procedures: rows and files, the event stream, and sessions. */
export const routeAccess = {
  events: { role: 'viewer', isChange: false },
  'run.export': { role: 'viewer', isChange: false },
  'run.readRows': { role: 'viewer', isChange: false },
  'run.readSelectedRows': { role: 'viewer', isChange: false },
  'run.readFailures': { role: 'viewer', isChange: false },
  'rows.read': { role: 'viewer', isChange: false },
  'workflow.readTestRows': { role: 'viewer', isChange: false },
  'sheet.read': { role: 'operator', isChange: false },
  'run.start': { role: 'operator', isChange: true },
  'rows.save': { role: 'operator', isChange: true },
} as const satisfies Record<string, AccessRule>;

export type ControlRouteName = keyof typeof routeAccess;

export const procedures = {
  ...serverProcedures,
  ...keyProcedures,
  ...browserProcedures,
  ...tokenProcedures,
  ...workflowProcedures,
  ...authorProcedures,
  ...askProcedures,
  ...newWorkflowProcedures,
  ...secretProcedures,
  ...settingsProcedures,
  ...rowProcedures,
  ...runProcedures,
  ...chainProcedures,
  ...hostedProcedures,
  ...traceProcedures,
  ...rowDataProcedures,
  ...queryProcedures,
  ...comparisonProcedures,
  ...findProcedures,
  ...exportProcedures,
  ...sampleProcedures,
  ...apiLogProcedures,
  ...previewProcedures,
};

export type ProcedureName = keyof typeof procedures;
type Schema<N extends ProcedureName> = (typeof procedures)[N]['input'];
/** The input of a procedure, as a client sends it. */
export type Input<N extends ProcedureName> = ReadonlyDeep<z.input<Schema<N>>>;
/** The input of a procedure, checked and with its defaults. */
export type CheckedInput<N extends ProcedureName> = ValueOf<Schema<N>>;
// Not ReturnType: nothing is assignable to the parameter `never`, so that would be `any`.
export type Output<N extends ProcedureName> = (typeof procedures)[N]['output'] extends (
  never: never,
) => infer Answer
  ? Answer
  : never;

/** The role that each procedure and route takes, and whether it changes anything. */
export const accessRules: Readonly<Record<ProcedureName | ControlRouteName, AccessRule>> = {
  ...procedures,
  ...routeAccess,
};

/** The user of a team server who makes a call. */
export type ControlCaller = { readonly tokenId: string; readonly name: string; readonly role: Role };

/**
 * The handlers that a server must supply: exactly one per procedure. Calls without a caller come from the one user of a data
 * folder.
 */
export type Handlers = {
  readonly [N in ProcedureName]: (input: CheckedInput<N>, caller?: ControlCaller) => Promise<Output<N>>;
};

/** Calls a procedure; every client offers this function. */
export type Call = <N extends ProcedureName>(name: N, input: Input<N>) => Promise<Output<N>>;
