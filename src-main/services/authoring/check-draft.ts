// Checks a draft before it is previewed, as a run would check its file. Who calls: PreviewService.
import type { PreviewMode } from '../../domain/run/preview.ts';
import type { Settings } from '../../domain/settings.ts';
import { workflowUnknown } from '../../domain/workflow-errors.ts';
import { type MockChoice, type MockInputs } from '../../domain/workflow/choose-mocks.ts';
import { issueOfFile, type Issue } from '../../domain/workflow/issue.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type { TableFiles } from '../../files/table-files.ts';
import type { Plan } from '../../executor/plan.ts';
import { planRun } from '../../executor/plan-run.ts';
import {
  assertValid,
  loadWorkflow,
  type LoadedWorkflow,
  type WorkflowService,
} from '../workflows/workflow-service.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import { withFieldNodes, type FieldNodes } from './preview-fields.ts';
import { chosenProfile, inProfile } from '../workflows/profile-service.ts';
import type { SourceService } from '../workflows/source-service.ts';
import type { TrustService } from '../workflows/trust-service.ts';

export type DraftCheckDeps = {
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly sources: SourceService;
  /** Parses texts that change while they are typed. */
  readonly parser: FileParser;
  readonly settings: () => Settings;
};

type DraftToCheck = {
  readonly workflowId: string;
  readonly text: string;
  readonly mode: PreviewMode;
  /** The mocks in use in mode `mocks`; undefined: the first one of each node. */
  readonly chosenMocks: MockChoice | undefined;
  /** Node whose expressions are shown, each with its value. */
  readonly fieldsOf?: string | undefined;
  /** Item of that node for which they are shown, from 1; absent: the first. */
  readonly item?: number | undefined;
  /** Name of a profile; empty: the defaults of the file; absent: that of the server. */
  readonly profile?: string | undefined;
  /** Tables of the draft; absent: those of the disk. */
  readonly tables?: TableFiles | undefined;
};

/** A draft that runs. */
export type RunnableDraft = {
  /** Id of the file that is edited; the draft may have another one. */
  readonly workflowId: string;
  readonly draft: LoadedWorkflow & { readonly workflow: Workflow };
  readonly plan: Plan;
  /** Fields of the node `fieldsOf`. */
  readonly fields: FieldNodes;
  readonly fieldsOf: string | undefined;
  readonly calledIds: readonly string[];
  /** Name of the profile whose values it has. */
  readonly profile: string | undefined;
};
type CheckedDraft = RunnableDraft | { readonly issues: readonly Issue[] };

/** Checks a draft as a run would check its file. Throws `workflow_untrusted`. */
export async function checkDraft(
  { workflows, trust, sources, parser, settings }: DraftCheckDeps,
  { workflowId, text, mode, chosenMocks, fieldsOf, item, profile: name, tables }: DraftToCheck,
): Promise<CheckedDraft> {
  const loaded = await workflows.find(workflowId);
  if (loaded === undefined) throw workflowUnknown(workflowId);
  const choice = { name, ofServer: settings().profile };
  const { profile, problem } = await chosenProfile(loaded, choice, parser);
  if (problem !== undefined) return { issues: [issueOfFile(problem)] };
  const written = await loadWorkflow({ path: loaded.file, location: loaded.location }, text, parser);
  const draft = await inProfile(written, profile, parser);
  const { workflow } = draft;
  if (workflow === undefined) return { issues: draft.issues.filter(({ severity }) => severity === 'error') };
  trust.assertTrusted(draft);
  const inputs = mockInputs(mode, chosenMocks);
  const { issues, dependencies, called } = await sources.gather(draft, { ...inputs, profile, tables });
  if (issues.length > 0) return { issues };
  for (const other of called) trust.assertTrusted(other);
  const { workflow: planned, fields } = await withFieldNodes(assertValid(draft), fieldsOf, item);
  return {
    workflowId,
    draft: { ...draft, workflow },
    plan: planRun(planned, inputs, dependencies),
    fields,
    fieldsOf,
    calledIds: called.map(({ id }) => id),
    profile: profile?.name,
  };
}

const mockInputs = (mode: PreviewMode, mocks: MockChoice | undefined): MockInputs =>
  mode === 'mocks' ? (mocks === undefined ? { mode: 'mocks' } : { mocks }) : {};
