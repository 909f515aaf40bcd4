// What keeps a workflow's runs from succeeding, as far as it can be known before a run.
import { AppError } from '../../../base/app-error.ts';
import type { Profile } from '../../../domain/profiles/profile.ts';
import { inProfile, serverProfile } from '../../../services/workflows/profile-service.ts';
import { callProblems, type PreflightProblem } from '../../../domain/trust/preflight.ts';
import { findReach } from '../../../domain/trust/reach.ts';
import type { Services } from '../../../services/services.ts';
import type { SourceService } from '../../../services/workflows/source-service.ts';
import type { LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';

/** Empty for a file with errors: its issues say so. */
export async function preflight(
  { workflows, access, runs }: Services,
  file: LoadedWorkflow,
): Promise<readonly PreflightProblem[]> {
  if (file.workflow === undefined) return [];
  const { profile, problem } = await serverProfile(file, access.settings().profile, workflows.parser);
  if (problem !== undefined) return [{ kind: 'source', message: problem, line: 1 }];
  const loaded = await inProfile(file, profile, workflows.parser);
  const { called, sourceProblems } = await findSources(workflows.sources, loaded, profile);
  const all = [loaded, ...called];
  const checked = all.flatMap(({ id, workflow }) =>
    workflow === undefined ? [] : [{ id, reach: findReach(workflow), network: runs.networkOf(id) }],
  );
  return [
    ...all
      .filter((each) => workflows.trust.standingOf(each).kind === 'untrusted')
      .map(({ id }) => ({ kind: 'untrusted' as const, workflowId: id })),
    ...callProblems(checked, access.secrets.list()),
    ...sourceProblems,
  ];
}

type FoundSources = {
  readonly called: readonly LoadedWorkflow[];
  readonly sourceProblems: readonly PreflightProblem[];
};

async function findSources(
  sources: SourceService,
  loaded: LoadedWorkflow,
  profile: Profile | undefined,
): Promise<FoundSources> {
  try {
    return {
      called: (await sources.resolve(loaded, { mode: undefined, profile })).called,
      sourceProblems: [],
    };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'workflow_invalid')) throw error;
    const issues = await sources.check(loaded, profile);
    return {
      called: [],
      sourceProblems: issues.map(({ message, line }) => ({ kind: 'source', message, line })),
    };
  }
}
