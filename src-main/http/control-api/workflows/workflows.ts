// Procedures on workflows: their content, their trust, and the networks that their calls may reach.
import type {
  CassetteView,
  Handlers,
  ImportPreview,
  InputFieldView,
  ProfileView,
  WorkflowDetail,
  WorkflowSource,
} from '../../../contract/index.ts';
import type { Cassette } from '../../../domain/cassette/cassette.ts';
import { cassetteText, Recording } from '../../../domain/cassette/recording.ts';
import {
  cassetteMissing,
  importsPublished,
  workflowChanged,
  workflowUnknown,
} from '../../../domain/workflow-errors.ts';
import { findReach, reachKeys } from '../../../domain/trust/reach.ts';
import type { MockChoice } from '../../../domain/workflow/choose-mocks.ts';
import type { NodeOf, Workflow } from '../../../domain/workflow/workflow.ts';
import { workflowIdPattern } from '../../../domain/workflow/workflow-keys.ts';
import { workflowView } from '../../../presenters/workflow-view.ts';
import type { Services } from '../../../services/services.ts';
import { inEachProfile, inProfile, serverProfile } from '../../../services/workflows/profile-service.ts';
import { publishUploaded } from '../../../services/workflows/publish-uploaded.ts';
import type { ImportPlan } from '../../../services/workflows/plan-import.ts';
import type { TrustService } from '../../../services/workflows/trust-service.ts';
import type { draftTables } from '../../../services/workflows/draft-tables.ts';
import type { LoadedWorkflow, WorkflowService } from '../../../services/workflows/workflow-service.ts';
import { LruMap } from '../../../base/lru-map.ts';
import type { Outline } from '../../../domain/workflow/outline.ts';
import type { FileParser } from '../../../services/workflows/file-parser.ts';
import type { SourceService } from '../../../services/workflows/source-service.ts';
import { AppError } from '../../../base/app-error.ts';
import type { Profile } from '../../../domain/profiles/profile.ts';
import { callProblems, type PreflightProblem } from '../../../domain/trust/preflight.ts';

export function createWorkflowHandlers(rooms: Services) {
  const { workflows, trust, imports, sources, parser, publish, openCassette } = rooms.workflows;
  const find = (id: string): Promise<LoadedWorkflow> => findWorkflow(workflows, id);
  const outlines = new Outlines(parser);
  return {
    'workflow.list': async () => (await workflows.list()).map((loaded) => workflowView(loaded, trust)),
    'workflow.show': async ({ workflowId }) => workflowDetail(await find(workflowId), rooms),
    'workflow.preflight': async ({ workflowId }) => preflight(rooms, await find(workflowId)),
    'workflow.source': async ({ workflowId }) =>
      workflowSource(await find(workflowId), { sources, outlines }),
    'workflow.cassette': async ({ workflowId }) => {
      const { id, file } = await find(workflowId);
      const cassette = await openCassette(id, file);
      return cassetteView(cassette.label, await cassette.read());
    },
    'workflow.trust': async ({ workflowId, hash }) => {
      const loaded = await find(workflowId);
      // Trust is given to what was seen, not to what came in its place meanwhile.
      if (loaded.hash !== hash) throw workflowChanged(workflowId);
      await trust.trust(
        loaded,
        (await inEachProfile(loaded, parser)).map((each) => each.loaded),
      );
      return workflowView(loaded, trust);
    },
    'workflow.revoke': async ({ workflowId }) => {
      const loaded = await find(workflowId);
      await trust.revoke(loaded);
      return workflowView(loaded, trust);
    },
    'workflow.grant': async ({ workflowId, allow = [], deny = [] }) => {
      const loaded = await find(workflowId);
      await trust.grant(workflowId, { allow, deny });
      return workflowView(loaded, trust);
    },
    'workflow.inspect': async ({ replaces, ...source }) =>
      importPreview(await imports.inspect(source, replaces)),
    'workflow.import': async (order) => {
      // One server of a team would have it, until that server stops.
      if (publish !== undefined) throw importsPublished();
      return (await imports.import(order)).map((loaded) => workflowView(loaded, trust));
    },
    'workflow.publish': async ({ files }, caller) =>
      publishUploaded(
        { parser, workflows, publish },
        files.map(({ path, content }) => ({ path, bytes: Buffer.from(content, 'base64') })),
        caller?.name ?? 'data folder',
      ),
  } satisfies Partial<Handlers>;
}

/** The workflow with that id. Throws `workflow_unknown`. */
export async function findWorkflow(workflows: WorkflowService, workflowId: string): Promise<LoadedWorkflow> {
  const loaded = workflowIdPattern.test(workflowId) ? await workflows.find(workflowId) : undefined;
  if (loaded === undefined) throw workflowUnknown(workflowId);
  return loaded;
}

/** Throws `invalid_input` if there is no cassette. */
function cassetteView(name: string, cassette: Cassette | undefined): CassetteView {
  if (cassette === undefined) throw cassetteMissing(name, 'Start a run that records first');
  // In the order of a recorded file, so that a diff shows only what changed.
  const sorted = new Recording(cassette).cassette();
  return { name, entries: sorted.entries.length, text: cassetteText(sorted) };
}

async function workflowDetail(
  loaded: LoadedWorkflow,
  { workflows: { trust, parser }, access: { settings } }: Services,
): Promise<WorkflowDetail> {
  const standing = trust.standingOf(loaded);
  const profiles = await inEachProfile(loaded, parser);
  const { profile } = settings();
  return {
    ...workflowView(loaded, trust),
    fields: inputFields(loaded.workflow),
    hash: loaded.hash,
    further: standing.kind === 'untrusted' ? standing.further : [],
    ...(loaded.workflow === undefined ? {} : { reach: findReach(loaded.workflow) }),
    profiles: profiles.map((each) => profileView(loaded, each, trust)),
    ...(profile !== undefined && profiles.some(({ name }) => name === profile) ? { profile } : {}),
  };
}

function profileView(
  defaults: LoadedWorkflow,
  { name, loaded }: { readonly name: string; readonly loaded: LoadedWorkflow },
  trust: TrustService,
): ProfileView {
  const usual = reachOf(defaults);
  return {
    name,
    reaches: reachOf(loaded).filter((key) => !usual.includes(key)),
    isTrusted: trust.standingOf(loaded).kind !== 'untrusted',
  };
}

const reachOf = ({ workflow }: LoadedWorkflow): readonly string[] =>
  workflow === undefined ? [] : reachKeys(findReach(workflow));

/** The fields that the input node names; none of a file with errors. */
export function inputFields(workflow: Workflow | undefined): readonly InputFieldView[] {
  const input = workflow?.nodes.find((node): node is NodeOf<'input'> => node.type === 'input');
  return (input?.config.fields ?? []).map(([name, { type, required, description }]) => ({
    name,
    type,
    required,
    ...(description === undefined ? {} : { description }),
  }));
}

const importPreview = ({ workflows, problems, digest }: ImportPlan): ImportPreview => ({
  workflows: workflows.map(({ workflow, file, files, warnings }) => ({
    id: workflow.id,
    name: workflow.name,
    file,
    files,
    nodes: workflow.nodes.length,
    warnings,
    reach: findReach(workflow),
  })),
  problems,
  digest,
});

// A workflow's file as pages show it.

/** As much as a workflow file may have; what is longer is none, and only its beginning is of use. */
const maxTextCharacters = 1_000_000;

/** Pages ask again for what has not changed, and a dense file takes seconds to make out. */
const maxOutlines = 8;

/** Outlines of the texts that were asked for last, by hash. */
class Outlines {
  readonly #parser: FileParser;
  readonly #cache = new LruMap<string, Outline>({ maxEntries: maxOutlines });

  constructor(parser: FileParser) {
    this.#parser = parser;
  }

  async of({ hash, source }: Pick<LoadedWorkflow, 'hash' | 'source'>): Promise<Outline> {
    const outline = this.#cache.get(hash) ?? (await this.#parser.outline(source));
    this.#cache.set(hash, outline);
    return outline;
  }
}

type Around = { readonly sources: SourceService; readonly outlines: Outlines };

/** All that a page needs to draw the file; never throws on any text. */
async function workflowSource(
  loaded: LoadedWorkflow,
  { sources, outlines }: Around,
): Promise<WorkflowSource> {
  const { id, file, hash, source, workflow, issues } = loaded;
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const problems = workflow === undefined ? [] : await sources.check(loaded);
  return {
    workflowId: id,
    file,
    hash,
    text: text.slice(0, maxTextCharacters),
    isCut: text.length > maxTextCharacters,
    ...(await outlines.of(loaded)),
    issues: [...issues, ...problems],
  };
}

// What keeps a workflow's runs from succeeding, as far as it can be known before a run.

/** `tables`: those of a draft; undefined: those of the disk. */
type RunOfTest = {
  readonly profile: Profile | undefined;
  readonly mocks: MockChoice;
  readonly tables: ReturnType<typeof draftTables> | undefined;
};

/** Empty for a file with errors: its issues say so. @param test what the run of a test has; absent: a run of the server */
export async function preflight(
  { workflows, access, runs }: Services,
  file: LoadedWorkflow,
  test?: RunOfTest,
): Promise<readonly PreflightProblem[]> {
  if (file.workflow === undefined) return [];
  const { profile, problem } =
    test === undefined
      ? await serverProfile(file, access.settings().profile, workflows.parser)
      : { profile: test.profile, problem: undefined };
  if (problem !== undefined) return [{ kind: 'source', message: problem, line: 1 }];
  const loaded = await inProfile(file, profile, workflows.parser);
  const mocks = test?.mocks ?? {};
  const { called, sourceProblems } = await findSources(workflows.sources, loaded, {
    profile,
    mocks,
    tables: test?.tables,
  });
  const all = [loaded, ...called];
  const checked = all.flatMap(({ id, workflow }) =>
    workflow === undefined
      ? []
      : [
          {
            id,
            reach: findReach(id === loaded.id ? withoutMocked(workflow, mocks) : workflow),
            network: runs.networkOf(id),
          },
        ],
  );
  return [
    ...all
      .filter((each) => workflows.trust.standingOf(each).kind === 'untrusted')
      .map(({ id }) => ({ kind: 'untrusted' as const, workflowId: id })),
    ...callProblems(checked, access.secrets.list()),
    ...sourceProblems,
  ];
}

/** The workflow with the nodes that call something if these mocks are used. */
const withoutMocked = (workflow: Workflow, mocks: MockChoice): Workflow => ({
  ...workflow,
  nodes: workflow.nodes.filter(({ id }) => !Object.hasOwn(mocks, id)),
});

type FoundSources = {
  readonly called: readonly LoadedWorkflow[];
  readonly sourceProblems: readonly PreflightProblem[];
};

async function findSources(
  sources: SourceService,
  loaded: LoadedWorkflow,
  { profile, mocks, tables }: RunOfTest,
): Promise<FoundSources> {
  try {
    return {
      called: (await sources.resolve(loaded, { mode: undefined, profile, mocks, tables })).called,
      sourceProblems: [],
    };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'workflow_invalid')) throw error;
    const issues = await sources.check(loaded, { profile, tables });
    return {
      called: [],
      sourceProblems: issues
        .filter(({ severity }) => severity === 'error')
        .map(({ message, line }) => ({ kind: 'source', message, line })),
    };
  }
}
