// The control API as a table: what can be asked, with which input, for which answer. A server without a handler
// for each, or a client with a misspelt name, does not compile.
import { z } from 'zod';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';
import { addressClasses, type AddressClass } from '../domain/upstream/address-class.ts';
import {
  longestSecret,
  secretHostPattern,
  secretNameForm,
  secretNamePattern,
  secretValuePattern,
  shortestSecret,
} from '../domain/secrets/secret.ts';
import {
  bulkInput,
  keptRunInput,
  rerunInput,
  runId,
  runListInput,
  type BulkInput,
  type KeptRunInput,
  type RerunInput,
  type RunListInput,
  rowInput,
  rowsInput,
  type RowInput,
  type RowsInput,
} from './run-inputs.ts';
import type { KeptRunView } from './kept-run-view.ts';
import type { FreshTraceView, RunNodesView, RunRowsView, TraceView } from './trace-views.ts';
import type { SecretView } from './secret-view.ts';
import type { BulkView, CreatedKey, EntryLink, KeyView, RunDetail, RunView, ServerInfo } from './views.ts';
import type { ImportPreview, WorkflowDetail, WorkflowView } from './workflow-views.ts';

type Procedure<Input, Output> = {
  readonly input: z.ZodType<Input>;
  readonly output: (never: never) => Output;
};

/** The output is only a type: our own server is trusted to keep it, and the compiler checks that it does. */
const procedure = <Input, Output>(input: z.ZodType<Input>): Procedure<Input, Output> => ({
  input,
  output: (never) => never,
});

const nothing = z.strictObject({});
const workflowId = z
  .string()
  .regex(workflowIdPattern, 'A workflow id is 1 to 64 letters, digits, "_" and "-"');
const oneWorkflow = z.strictObject({ workflowId });
const classes = z.array(z.enum(addressClasses)).max(addressClasses.length).exactOptional();
const secretName = z.string().regex(secretNamePattern, `A secret is named by ${secretNameForm}`);
const secretHost = z
  .string()
  .toLowerCase()
  .regex(
    secretHostPattern,
    'A host is a name or an address, with ":port" where it is not called with https at its usual port',
  );
const secretValue = z
  .string()
  .min(shortestSecret, `A secret has at least ${shortestSecret} characters`)
  .max(longestSecret, `A secret has at most ${longestSecret} characters`)
  .regex(
    secretValuePattern,
    'A secret has no line breaks, no blanks at its ends, and only characters up to ÿ',
  );
const oneRun = z.strictObject({ runId });
/** Paths are those of the machine that Rowbench runs on; `as` is judged with the files, so that all is told at once. */
const importWish = z.strictObject({
  path: z.string().min(1).max(4096),
  as: z.string().max(200).exactOptional(),
  replaces: z.boolean(),
});
type ImportWish = { path: string; as?: string; replaces: boolean };

export const procedures = {
  'server.info': procedure<z.infer<typeof nothing>, ServerInfo>(nothing),
  /** A link that lets one browser in, once. */
  'server.link': procedure<z.infer<typeof nothing>, EntryLink>(nothing),
  'key.list': procedure<z.infer<typeof nothing>, readonly KeyView[]>(nothing),
  'key.create': procedure<{ name: string; workflows: string[] | null }, CreatedKey>(
    z.strictObject({
      name: z.string().trim().min(1).max(100),
      workflows: z.array(workflowId).min(1).max(1000).nullable(),
    }),
  ),
  'key.revoke': procedure<{ id: string }, KeyView>(z.strictObject({ id: z.string().max(64) })),
  'workflow.list': procedure<z.infer<typeof nothing>, readonly WorkflowView[]>(nothing),
  'workflow.show': procedure<{ workflowId: string }, WorkflowDetail>(oneWorkflow),
  'workflow.trust': procedure<{ workflowId: string; hash: string }, WorkflowView>(
    oneWorkflow.extend({ hash: z.string().max(64) }),
  ),
  'workflow.revoke': procedure<{ workflowId: string }, WorkflowView>(oneWorkflow),
  'workflow.grant': procedure<
    { workflowId: string; allow?: AddressClass[]; deny?: AddressClass[] },
    WorkflowView
  >(oneWorkflow.extend({ allow: classes, deny: classes })),
  'workflow.inspect': procedure<ImportWish, ImportPreview>(importWish),
  'workflow.import': procedure<ImportWish & { trusted?: string }, readonly WorkflowView[]>(
    importWish.extend({ trusted: z.string().max(64).exactOptional() }),
  ),
  'secret.list': procedure<z.infer<typeof nothing>, readonly SecretView[]>(nothing),
  'secret.set': procedure<{ name: string; hosts: string[]; value: string }, SecretView>(
    z.strictObject({ name: secretName, hosts: z.array(secretHost).min(1).max(20), value: secretValue }),
  ),
  'secret.remove': procedure<{ name: string }, SecretView>(z.strictObject({ name: secretName })),
  'run.list': procedure<RunListInput, readonly RunView[]>(runListInput),
  'run.show': procedure<{ runId: string }, RunDetail>(oneRun),
  /** The row's stored trace; null where none is kept. */
  'run.trace': procedure<RowInput, TraceView | null>(rowInput),
  /** Runs the row once more to see all of its way; nothing stored changes. */
  'run.traceRow': procedure<RowInput, FreshTraceView>(rowInput),
  'run.nodes': procedure<{ runId: string }, RunNodesView>(oneRun),
  'run.rows': procedure<RowsInput, RunRowsView>(rowsInput),
  /** Rows of a run that has ended with what came of them, for a test. */
  'run.kept': procedure<KeptRunInput, KeptRunView>(keptRunInput),
  'run.pause': procedure<{ runId: string }, RunView>(oneRun),
  'run.resume': procedure<{ runId: string }, RunView>(oneRun),
  'run.cancel': procedure<{ runId: string }, RunView>(oneRun),
  'run.rerun': procedure<RerunInput, RunView>(rerunInput),
  /** One verb on every run that fits; what changed meanwhile is no error. */
  'run.bulk': procedure<BulkInput, BulkView>(bulkInput),
};

export type ProcedureName = keyof typeof procedures;
export type Input<N extends ProcedureName> = z.infer<(typeof procedures)[N]['input']>;
// Not ReturnType: nothing is assignable to the parameter `never`, so that would be `any`.
export type Output<N extends ProcedureName> = (typeof procedures)[N]['output'] extends (
  never: never,
) => infer Answer
  ? Answer
  : never;

/** What a server must supply: exactly one handler a procedure. */
export type Handlers = { readonly [N in ProcedureName]: (input: Input<N>) => Promise<Output<N>> };

/** What a client offers. */
export type Call = <N extends ProcedureName>(name: N, input: Input<N>) => Promise<Output<N>>;
