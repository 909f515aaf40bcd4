// Workflows, as a client sees them: files, trust, and previews of imports.
import { z } from 'zod';
import type { JsonObject } from '../../base/json-value.ts';
import {
  admin,
  adminChange,
  answer,
  nothing,
  oneWorkflow,
  operator,
  profileName,
  viewer,
} from '../procedure.ts';
import type { InputFieldView } from '../rowsets/row-sets.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import type { TestRowsView, TestsRunView, WorkflowTests } from '../../domain/tests/test-views.ts';
import type { PreflightProblem } from '../../domain/trust/preflight.ts';
import type { Reach } from '../../domain/trust/reach.ts';
import { addressClasses, type AddressClass } from '../../domain/upstream/address-class.ts';
import type { Issue } from '../../domain/workflow/issue.ts';
import type { OutlineEdge, OutlineNode } from '../../domain/workflow/outline.ts';
import type { Publication } from '../../domain/workflow/publication.ts';

export type WorkflowView = {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly nodes: number;
  readonly issues: readonly Issue[];
  /** A row to try it with; absent when the file has errors. */
  readonly sampleRow?: JsonObject;
  /** `own`: the user's file. Imported ones run only once they are trusted. */
  readonly trust: 'own' | 'trusted' | 'untrusted';
  /** Address classes that the workflow's calls may reach. */
  readonly network: readonly AddressClass[];
};

export type WorkflowDetail = WorkflowView & {
  /** Those that the input node names; none when the file has errors. */
  readonly fields: readonly InputFieldView[];
  /** Tells this text of the workflow from any other. */
  readonly hash: string;
  /** Reach that a workflow has gained since it was trusted, and that makes it untrusted now; otherwise empty. */
  readonly further: readonly string[];
  /** Absent when the file has errors. */
  readonly reach?: Reach;
  /** Profiles for it, in the order of their file. */
  readonly profiles: readonly ProfileView[];
  /** Name of the profile of runs and previews that name none. */
  readonly profile?: string;
};

export type ProfileView = {
  readonly name: string;
  /** Hosts, and secrets to hosts, that it reaches beyond those without a profile, each as a text. */
  readonly reaches: readonly string[];
  /** False for an import that reaches further with the profile than was trusted. */
  readonly isTrusted: boolean;
};

/** A workflow that an import would bring. */
export type PreviewedWorkflow = {
  readonly id: string;
  readonly name: string;
  /** Names relative to the folder that is imported from. */
  readonly file: string;
  readonly files: readonly string[];
  readonly nodes: number;
  readonly warnings: readonly string[];
  readonly reach: Reach;
};

export type ImportPreview = {
  readonly workflows: readonly PreviewedWorkflow[];
  /** Any of them forbids the import. */
  readonly problems: readonly string[];
  /** Names all that is shown here: what is trusted is this and nothing else. */
  readonly digest: string;
};

export type WorkflowSource = {
  readonly workflowId: string;
  readonly file: string;
  /** Tells this text from any other. */
  readonly hash: string;
  /** The beginning of a file that is too large to be a workflow. */
  readonly text: string;
  readonly isCut: boolean;
  /** The nodes of the workflow; for a file with errors, as many as can be made out. */
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
  /** Edges left out, because a reader could not tell that many apart. */
  readonly edgesLeftOut: number;
  /** Those of the file, and those that show only beside others, such as a table that is not there. */
  readonly issues: readonly Issue[];
};

/** The recorded answers of a workflow's calls, as a file that tests and runs replay. */
export type CassetteView = {
  /** Name of the cassette in messages; the file of a data folder has its path there. */
  readonly name: string;
  /** Requests with recorded answers. */
  readonly entries: number;
  /** Text of the file, at most 50 MB. */
  readonly text: string;
};

const classes = z.array(z.enum(addressClasses)).max(addressClasses.length).exactOptional();
/** Has either `path`, or `files` with their content. `path` is one of the machine that Rowbench runs on; `as` is checked together with the files, so that one answer has all problems. */
const importInput = z.strictObject({
  path: lookupText.min(1).max(4096).exactOptional(),
  files: z
    .array(z.strictObject({ name: lookupText.min(1).max(200), text: z.string() }))
    .min(1)
    .max(200)
    .exactOptional(),
  as: lookupText.max(200).exactOptional(),
  replaces: z.boolean(),
});
const hasOneSource = ({ path, files }: z.output<typeof importInput>): boolean =>
  (path === undefined) !== (files === undefined);
const needsOneSource = 'An import has a path or files';
export const workflowProcedures = {
  'workflow.list': viewer(nothing, answer<readonly WorkflowView[]>),
  'workflow.show': viewer(oneWorkflow, answer<WorkflowDetail>),
  /** Known problems that would make a run of the workflow fail; empty if there are none. */
  'workflow.preflight': viewer(oneWorkflow, answer<readonly PreflightProblem[]>),
  /** The file's text with the picture of it, also of one with errors. */
  'workflow.source': viewer(oneWorkflow, answer<WorkflowSource>),
  /** Answers that were recorded or published last. Throws `invalid_input` if there is no cassette. */
  'workflow.cassette': viewer(oneWorkflow, answer<CassetteView>),
  'workflow.tests': viewer(oneWorkflow, answer<WorkflowTests>),
  /** Null if the workflow names no test rows. */
  'workflow.testRows': viewer(oneWorkflow, answer<TestRowsView | null>),
  /** Offline, as `rowbench test` does. */
  'workflow.runTests': operator(
    oneWorkflow.extend({
      file: lookupText.max(4096).exactOptional(),
      test: lookupText.max(1000).exactOptional(),
      profile: profileName.exactOptional(),
    }),
    answer<TestsRunView>,
  ),
  'workflow.trust': adminChange(oneWorkflow.extend({ hash: lookupText.max(64) }), answer<WorkflowView>),
  'workflow.revoke': adminChange(oneWorkflow, answer<WorkflowView>),
  'workflow.grant': adminChange(oneWorkflow.extend({ allow: classes, deny: classes }), answer<WorkflowView>),
  'workflow.inspect': admin(importInput.refine(hasOneSource, needsOneSource), answer<ImportPreview>),
  'workflow.import': adminChange(
    importInput.extend({ trusted: lookupText.max(64).exactOptional() }).refine(hasOneSource, needsOneSource),
    answer<readonly WorkflowView[]>,
  ),
  /**
   * Replaces the workflows of a team, all or none. The caller has agreed to what they reach. Throws `invalid_input` with all
   * problems, or where the server has a data folder.
   */
  'workflow.publish': adminChange(
    z.strictObject({
      files: z
        .array(z.strictObject({ path: lookupText.min(1).max(1000), content: z.string() }))
        .min(1)
        .max(5_000),
    }),
    answer<Publication & { readonly workflowIds: readonly string[] }>,
  ),
};
