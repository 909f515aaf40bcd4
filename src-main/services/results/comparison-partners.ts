// The comparisons that are offered for a run, the best one first. Who calls: the control API.
import type { ComparisonPartner } from '../../domain/query/comparison-views.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RowQueries, RunReading, RunRecords } from '../ports.ts';
import type { RunService } from '../runs/run-service.ts';
import { chainSide, findSide, type FoundSide } from './compared-sides.ts';
import { defaultMatching } from './row-numbering.ts';

type PartnerDeps = {
  readonly runs: RunService;
  readonly store: RunReading & Pick<RunRecords, 'attemptsOf' | 'find' | 'list'>;
  readonly queries: Pick<RowQueries, 'countCommonRows'>;
};

/** Pinned runs that are looked through for one of another chain. */
const maxPinned = 20;

type Candidate = {
  readonly reason: ComparisonPartner['reason'];
  /** The side that has the run. */
  readonly own: FoundSide;
  readonly other: FoundSide;
};

/**
 * An attempt is compared with the rows of its chain before it. Its chain up to this attempt is compared with the chain that it
 * repeats, the last pinned one of the workflow, and the one before it. Those without a row in common come last. Throws
 * `run_not_found`.
 * @param text the run's id, or 4 or more characters of its beginning or end
 */
export async function comparisonPartners(
  deps: PartnerDeps,
  text: string,
): Promise<readonly ComparisonPartner[]> {
  const { newest: run } = await findSide(deps, text);
  const candidates: Candidate[] = [];
  for await (const candidate of candidatesFor(deps, run))
    if (!candidates.some(({ other }) => other.newest.runId === candidate.other.newest.runId))
      candidates.push(candidate);
  const partners: ComparisonPartner[] = [];
  for (const candidate of candidates) partners.push(await partnerOf(deps, candidate));
  return partners.sort((one, other) => Number(one.rows === 0) - Number(other.rows === 0));
}

async function* candidatesFor(deps: PartnerDeps, run: Run): AsyncGenerator<Candidate> {
  const { store } = deps;
  const { workflowId } = run;
  const chainId = chainIdOf(run);
  const whole = await chainSide(deps, run);
  const attempt = whole.runIds.indexOf(run.runId) + 1;
  const own = attempt === whole.runIds.length ? whole : await chainSide(deps, run, attempt);
  if (attempt > 1) {
    const alone = { name: run.runId, runIds: [run.runId], newest: run };
    yield { reason: 'before', own: alone, other: await chainSide(deps, run, attempt - 1) };
  }
  const first = chainId === run.runId ? run : (await store.find(chainId))?.run;
  const repeated = first?.rerunOf === undefined ? undefined : (await store.find(first.rerunOf))?.run;
  if (repeated !== undefined) yield { reason: 'repeated', own, other: await chainSide(deps, repeated) };
  const pinned = (await store.list({ workflowId, isPinned: true, limit: maxPinned })).find(
    (stored) => chainIdOf(stored.run) !== chainId,
  );
  if (pinned !== undefined) yield { reason: 'pinned', own, other: await chainSide(deps, pinned.run) };
  const [previous] = await store.list({ workflowId, before: chainId, limit: 1 });
  if (previous !== undefined) yield { reason: 'previous', own, other: await chainSide(deps, previous.run) };
}

async function partnerOf(deps: PartnerDeps, { reason, own, other }: Candidate): Promise<ComparisonPartner> {
  // Ids begin with the time of acceptance.
  const isOlder = reason === 'before' || other.newest.runId < own.newest.runId;
  const [first, second] = isOlder ? [other, own] : [own, other];
  const name = (await deps.store.find(other.runIds[0] ?? other.newest.runId))?.run.labels?.name;
  return {
    reason,
    firstRunId: first.name,
    secondRunId: second.name,
    otherRunId: other.newest.runId,
    ...(name === undefined ? {} : { otherName: name }),
    rows: await commonRowsOf(deps, own, other),
  };
}

async function commonRowsOf(
  { runs, store, queries }: PartnerDeps,
  own: FoundSide,
  other: FoundSide,
): Promise<number> {
  const matching = await defaultMatching({ runs, store }, own.newest, other.newest);
  // Rows that are matched by position are as many as the shorter side has.
  const [common = 0] = matching === 'number' ? await queries.countCommonRows(own.runIds, [other.runIds]) : [];
  if (matching === 'number') return common;
  const rows = await Promise.all(
    [own, other].map(async ({ runIds }) => (await queries.countCommonRows(runIds, [runIds]))[0] ?? 0),
  );
  return Math.min(...rows);
}
