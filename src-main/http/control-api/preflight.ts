// What keeps a workflow's runs from succeeding, as far as it can be known before a run.
import { AppError } from '../../base/app-error.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import type { Settings } from '../../domain/settings.ts';
import type { FileParser } from '../../services/file-parser.ts';
import { inProfile, serverProfile } from '../../services/profile-service.ts';
import { callProblems, type PreflightProblem } from '../../domain/trust/preflight.ts';
import { findReach } from '../../domain/trust/reach.ts';
import type { AddressClass } from '../../domain/upstream/address-class.ts';
import type { SecretService } from '../../services/secret-service.ts';
import type { SourceService } from '../../services/source-service.ts';
import type { TrustService } from '../../services/trust-service.ts';
import type { LoadedWorkflow } from '../../services/workflow-service.ts';

export type PreflightDeps = {
  readonly sources: SourceService;
  readonly trust: TrustService;
  readonly secrets: SecretService;
  readonly parser: FileParser;
  readonly settings: () => Settings;
  /** Networks that the workflow's calls may reach in this process. */
  readonly networkOf: (workflowId: string) => readonly AddressClass[];
};

/** Empty for a file with errors: its issues say so. */
export async function preflight(
  deps: PreflightDeps,
  file: LoadedWorkflow,
): Promise<readonly PreflightProblem[]> {
  if (file.workflow === undefined) return [];
  const { profile, problem } = await serverProfile(file, deps.settings().profile, deps.parser);
  if (problem !== undefined) return [{ kind: 'source', message: problem, line: 1 }];
  const loaded = await inProfile(file, profile, deps.parser);
  const { called, sourceProblems } = await findSources(deps.sources, loaded, profile);
  const all = [loaded, ...called];
  const checked = all.flatMap(({ id, workflow }) =>
    workflow === undefined ? [] : [{ id, reach: findReach(workflow), network: deps.networkOf(id) }],
  );
  return [
    ...all
      .filter((each) => deps.trust.standingOf(each).kind === 'untrusted')
      .map(({ id }) => ({ kind: 'untrusted' as const, workflowId: id })),
    ...callProblems(checked, deps.secrets.list()),
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
