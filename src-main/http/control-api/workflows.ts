// Procedures on workflows: their content, their trust, and the networks that their calls may reach.
import type {
  CassetteView,
  Handlers,
  ImportPreview,
  InputFieldView,
  ProfileView,
  WorkflowDetail,
  WorkflowView,
} from '../../contract/index.ts';
import type { Cassette } from '../../domain/cassette/cassette.ts';
import { cassetteText, Recording } from '../../domain/cassette/recording.ts';
import {
  cassetteMissing,
  importsPublished,
  workflowChanged,
  workflowUnknown,
} from '../../domain/workflow-errors.ts';
import { findReach, reachKeys } from '../../domain/trust/reach.ts';
import type { NodeOf, Workflow } from '../../domain/workflow/workflow.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import type { FileParser } from '../../services/file-parser.ts';
import type { ImportService } from '../../services/import-service.ts';
import { inEachProfile } from '../../services/profile-service.ts';
import { publishUploaded, type PublishDeps } from '../../services/publish-uploaded.ts';
import type { SourceService } from '../../services/source-service.ts';
import type { ImportPlan } from '../../services/plan-import.ts';
import type { TrustService } from '../../services/trust-service.ts';
import type { LoadedWorkflow, WorkflowService } from '../../services/workflow-service.ts';
import { preflight, type PreflightDeps } from './preflight.ts';
import { Outlines, workflowSource } from './workflow-source.ts';

export type WorkflowDeps = PreflightDeps &
  PublishDeps & {
    readonly workflows: WorkflowService;
    readonly trust: TrustService;
    readonly imports: ImportService;
    readonly sources: SourceService;
    readonly parser: FileParser;
    /** The cassette of a workflow, with its name in messages. */
    readonly readCassette: (workflow: LoadedWorkflow) => Promise<NamedCassette>;
  };

type NamedCassette = { readonly name: string; readonly cassette: Cassette | undefined };

export function createWorkflowHandlers(deps: WorkflowDeps) {
  const { workflows, trust, imports, sources, parser } = deps;
  const find = (id: string): Promise<LoadedWorkflow> => findWorkflow(workflows, id);
  const outlines = new Outlines(parser);
  return {
    'workflow.list': async () => (await workflows.list()).map((loaded) => workflowView(loaded, trust)),
    'workflow.show': async ({ workflowId }) => workflowDetail(await find(workflowId), deps),
    'workflow.preflight': async ({ workflowId }) => preflight(deps, await find(workflowId)),
    'workflow.source': async ({ workflowId }) =>
      workflowSource(await find(workflowId), { sources, outlines }),
    'workflow.cassette': async ({ workflowId }) =>
      cassetteView(await deps.readCassette(await find(workflowId))),
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
      if (deps.publish !== undefined) throw importsPublished();
      return (await imports.import(order)).map((loaded) => workflowView(loaded, trust));
    },
    'workflow.publish': async ({ files }, caller) =>
      publishUploaded(
        deps,
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
function cassetteView({ name, cassette }: NamedCassette): CassetteView {
  if (cassette === undefined) throw cassetteMissing(name, 'Start a run that records first');
  // In the order of a recorded file, so that a diff shows only what changed.
  const sorted = new Recording(cassette).cassette();
  return { name, entries: sorted.entries.length, text: cassetteText(sorted) };
}

/** The part of a workflow that lists show. */
export const workflowView = (loaded: LoadedWorkflow, trust: TrustService): WorkflowView => ({
  id: loaded.id,
  name: loaded.workflow?.name ?? loaded.id,
  file: loaded.file,
  nodes: loaded.workflow?.nodes.length ?? 0,
  issues: loaded.issues,
  ...(loaded.sampleRow === undefined ? {} : { sampleRow: loaded.sampleRow }),
  trust: trust.standingOf(loaded).kind,
  network: trust.networkOf(loaded.id),
});

async function workflowDetail(
  loaded: LoadedWorkflow,
  { trust, parser, settings }: Pick<WorkflowDeps, 'trust' | 'parser' | 'settings'>,
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
