// The control API as a table: each procedure with its input and its answer. A server that lacks a handler, or a client
// with a misspelt name, does not compile.
import type { z } from 'zod';
import type { Role } from '../domain/access/role.ts';
import { apiLogProcedures } from './api-log-procedures.ts';
import { authorProcedures } from './author-procedures.ts';
import { browserProcedures } from './browser-procedures.ts';
import { draftTestProcedures } from './draft-test-procedures.ts';
import { exportProcedures } from './export-procedures.ts';
import { formProcedures } from './form-procedures.ts';
import { findProcedures } from './find-procedures.ts';
import { graphProcedures } from './graph-procedures.ts';
import { keyProcedures } from './key-procedures.ts';
import { newWorkflowProcedures } from './new-workflow-procedures.ts';
import { languageProcedures } from './language-procedures.ts';
import { previewProcedures } from './preview-procedures.ts';
import { queryProcedures } from './query-procedures.ts';
import { rowProcedures } from './row-procedures.ts';
import { rowDataProcedures } from './row-data-procedures.ts';
import { runProcedures } from './run-procedures.ts';
import { sampleProcedures } from './sample-procedures.ts';
import { secretProcedures } from './secret-procedures.ts';
import { settingsProcedures } from './settings-procedures.ts';
import { serverProcedures } from './server-procedures.ts';
import { tokenProcedures } from './token-procedures.ts';
import { workflowProcedures } from './workflow-procedures.ts';

export const procedures = {
  ...serverProcedures,
  ...keyProcedures,
  ...browserProcedures,
  ...tokenProcedures,
  ...workflowProcedures,
  ...authorProcedures,
  ...newWorkflowProcedures,
  ...graphProcedures,
  ...secretProcedures,
  ...settingsProcedures,
  ...rowProcedures,
  ...runProcedures,
  ...rowDataProcedures,
  ...queryProcedures,
  ...findProcedures,
  ...exportProcedures,
  ...sampleProcedures,
  ...apiLogProcedures,
  ...previewProcedures,
  ...draftTestProcedures,
  ...languageProcedures,
  ...formProcedures,
};

export type ProcedureName = keyof typeof procedures;
export type Input<N extends ProcedureName> = z.infer<(typeof procedures)[N]['input']>;
// Not ReturnType: nothing is assignable to the parameter `never`, so that would be `any`.
export type Output<N extends ProcedureName> = (typeof procedures)[N]['output'] extends (
  never: never,
) => infer Answer
  ? Answer
  : never;

/** The user of a team server who makes a call. */
export type ControlCaller = { readonly tokenId: string; readonly name: string; readonly role: Role };

/**
 * The handlers that a server must supply: exactly one per procedure. Calls without a caller come from the one user of a data
 * folder.
 */
export type Handlers = {
  readonly [N in ProcedureName]: (input: Input<N>, caller?: ControlCaller) => Promise<Output<N>>;
};

/** Calls a procedure; every client offers this function. */
export type Call = <N extends ProcedureName>(name: N, input: Input<N>) => Promise<Output<N>>;
