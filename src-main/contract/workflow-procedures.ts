import { z } from 'zod';
import { addressClasses, type AddressClass } from '../domain/upstream/address-class.ts';
import type { PreflightProblem } from '../domain/trust/preflight.ts';
import type { Publication } from '../domain/workflow/publication.ts';
import { nothing, oneWorkflow, procedure, type Nothing } from './procedure.ts';
import type { TestRowsView } from './row-data-views.ts';
import { profileName } from './run-inputs.ts';
import type { CassetteView, TestsRunView, WorkflowSource, WorkflowTests } from './workflow-source.ts';
import type { ImportPreview, WorkflowDetail, WorkflowView } from './workflow-views.ts';

const classes = z.array(z.enum(addressClasses)).max(addressClasses.length).exactOptional();
/** `path` is one of the machine that Rowbench runs on; `as` is checked together with the files, so that one answer has all problems. */
const importInput = z.strictObject({
  path: z.string().min(1).max(4096).exactOptional(),
  files: z
    .array(z.strictObject({ name: z.string().min(1).max(200), text: z.string() }))
    .min(1)
    .max(200)
    .exactOptional(),
  as: z.string().max(200).exactOptional(),
  replaces: z.boolean(),
});
const hasOneSource = ({ path, files }: ImportInput): boolean =>
  (path === undefined) !== (files === undefined);
const needsOneSource = 'An import has a path or files';
/** Has either `path`, or `files` with their content. */
type ImportInput = {
  path?: string;
  files?: { name: string; text: string }[];
  as?: string;
  replaces: boolean;
};
/** `content` is in base64. */
type PublishInput = { files: { path: string; content: string }[] };
/**
 * `file` absent: the tests of all files; `test` absent: all tests of the file; `profile` absent: the defaults of the
 * workflow's file.
 */
type TestsInput = { workflowId: string; file?: string; test?: string; profile?: string };

export const workflowProcedures = {
  'workflow.list': procedure<Nothing, readonly WorkflowView[]>(nothing),
  'workflow.show': procedure<{ workflowId: string }, WorkflowDetail>(oneWorkflow),
  /** Known problems that would make a run of the workflow fail; empty if there are none. */
  'workflow.preflight': procedure<{ workflowId: string }, readonly PreflightProblem[]>(oneWorkflow),
  /** The file's text with the picture of it, also of one with errors. */
  'workflow.source': procedure<{ workflowId: string }, WorkflowSource>(oneWorkflow),
  /** Answers that were recorded or published last. Throws `invalid_input` if there is no cassette. */
  'workflow.cassette': procedure<{ workflowId: string }, CassetteView>(oneWorkflow),
  'workflow.tests': procedure<{ workflowId: string }, WorkflowTests>(oneWorkflow),
  /** Null if the workflow names no test rows. */
  'workflow.testRows': procedure<{ workflowId: string }, TestRowsView | null>(oneWorkflow),
  /** Offline, as `rowbench test` does. */
  'workflow.runTests': procedure<TestsInput, TestsRunView>(
    oneWorkflow.extend({
      file: z.string().max(4096).exactOptional(),
      test: z.string().max(1000).exactOptional(),
      profile: profileName.exactOptional(),
    }),
  ),
  'workflow.trust': procedure<{ workflowId: string; hash: string }, WorkflowView>(
    oneWorkflow.extend({ hash: z.string().max(64) }),
  ),
  'workflow.revoke': procedure<{ workflowId: string }, WorkflowView>(oneWorkflow),
  'workflow.grant': procedure<
    { workflowId: string; allow?: AddressClass[]; deny?: AddressClass[] },
    WorkflowView
  >(oneWorkflow.extend({ allow: classes, deny: classes })),
  'workflow.inspect': procedure<ImportInput, ImportPreview>(importInput.refine(hasOneSource, needsOneSource)),
  'workflow.import': procedure<ImportInput & { trusted?: string }, readonly WorkflowView[]>(
    importInput.extend({ trusted: z.string().max(64).exactOptional() }).refine(hasOneSource, needsOneSource),
  ),
  /**
   * Replaces the workflows of a team, all or none. The caller has agreed to what they reach. Throws `invalid_input` with all
   * problems, or where the server has a data folder.
   */
  'workflow.publish': procedure<PublishInput, Publication & { readonly workflowIds: readonly string[] }>(
    z.strictObject({
      files: z
        .array(z.strictObject({ path: z.string().min(1).max(1000), content: z.string() }))
        .min(1)
        .max(5_000),
    }),
  ),
};
