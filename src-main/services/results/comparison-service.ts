// Compares the results of two runs. Who calls: the control API. This service changes no stored data.
import type {
  ComparedRow,
  ComparisonRequest,
  ComparisonSlice,
  FieldRule,
  RowMatching,
} from '../../domain/query/compare-runs.ts';
import type {
  ComparedFailure,
  ComparedRowView,
  ComparedRuns,
  ComparisonPartner,
  ComparisonStepView,
  RunComparisonView,
} from '../../domain/query/comparison-views.ts';
import { shownChange, shownValue } from '../../domain/query/difference-excerpt.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import { failureOfLine } from '../../domain/results/scan-trace-line.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import type { Direction } from '../../domain/query/value-trends.ts';
import type { RowQueries, RunReading, RunRecords } from '../ports.ts';
import type { RunService } from '../runs/run-service.ts';
import { comparisonPartners } from './comparison-partners.ts';
import { findSide } from './compared-sides.ts';
import { defaultMatching } from './row-numbering.ts';

/** A message may be as long as a page. */
const maxMessage = 1_000;

type ComparisonDeps = {
  readonly runs: RunService;
  readonly store: RunReading & Pick<RunRecords, 'attemptsOf' | 'find' | 'list'>;
  readonly queries: RowQueries;
};

type ComparedPair = {
  /** Ids of the runs, or 4 or more characters of their beginnings or ends; with `~N`, the chain up to attempt N. */
  readonly firstRunId: string;
  readonly secondRunId: string;
  readonly matching?: RowMatching | undefined;
  readonly rules?: readonly FieldRule[] | undefined;
  readonly directions?: readonly Direction[] | undefined;
};

type PageOptions = ComparedPair &
  ComparisonSlice & {
    readonly version?: string | undefined;
    /** Values are not cut. */
    readonly isWhole?: boolean | undefined;
  };

export class ComparisonService {
  readonly #deps: ComparisonDeps;

  constructor(deps: ComparisonDeps) {
    this.#deps = deps;
  }

  /** The first differing rows. Throws `run_not_found`, `data_unreadable`. */
  async compare({
    limit = 20,
    ...pair
  }: ComparedPair & { readonly limit?: number | undefined }): Promise<RunComparisonView> {
    const { runs, request } = await this.#prepare(pair);
    const found = await this.#deps.queries.compare({ ...request, slice: { from: 1, count: limit } });
    const { matching, counts, trends, repeatedKeys, fields, rows } = found;
    return {
      ...runs,
      matching,
      counts,
      ...(trends === undefined ? {} : { trends }),
      repeatedKeys,
      fields,
      rows,
    };
  }

  /** Some rows of a comparison, or how far it is after a quarter of a second. Throws as `compare`. */
  async page({
    isWhole = false,
    version,
    from,
    count,
    outcome,
    field,
    trend,
    order,
    inputs,
    ...pair
  }: PageOptions): Promise<ComparisonStepView> {
    const { runs, request } = await this.#prepare(pair);
    const slice = { from, count, outcome, field, trend, order, inputs };
    const step = await this.#deps.queries.compareStep({ ...request, slice, version });
    if (!step.isReady) return step;
    const rows: ComparedRowView[] = [];
    for (const row of step.rows) rows.push(await this.#shown(row, runs, isWhole));
    return { ...step, ...runs, rows };
  }

  /** The comparisons that are offered for a run, the best one first. Throws `run_not_found`. */
  partners(runId: string): Promise<readonly ComparisonPartner[]> {
    return comparisonPartners(this.#deps, runId);
  }

  async #prepare(pair: ComparedPair): Promise<{
    readonly runs: ComparedRuns;
    readonly request: Omit<ComparisonRequest, 'slice'>;
  }> {
    const first = await findSide(this.#deps, pair.firstRunId);
    const second = await findSide(this.#deps, pair.secondRunId);
    const { rules = [], directions = [] } = pair;
    const matching = pair.matching ?? (await defaultMatching(this.#deps, first.newest, second.newest));
    return {
      runs: {
        firstRunId: first.name,
        secondRunId: second.name,
        firstAttempts: first.runIds,
        secondAttempts: second.runIds,
        isSameWorkflow: first.newest.workflowHash === second.newest.workflowHash,
      },
      request: {
        first: first.runIds,
        second: second.runIds,
        options: { matching, rules, ...(directions.length === 0 ? {} : { directions }) },
      },
    };
  }

  async #shown(
    { fields, inputs, ...row }: ComparedRow,
    { firstAttempts, secondAttempts }: ComparedRuns,
    isWhole: boolean,
  ): Promise<ComparedRowView> {
    const { outcome, firstNumber, secondNumber } = row;
    const { firstRunId = firstAttempts[0] ?? '', secondRunId = secondAttempts[0] ?? '' } = row;
    const failedNumber = (outcomes: readonly string[], number: number | undefined): number | undefined =>
      outcomes.includes(outcome) ? number : undefined;
    const firstFailure = await this.#failure(firstRunId, failedNumber(['fixed', 'bothFailed'], firstNumber));
    const secondFailure = await this.#failure(
      secondRunId,
      failedNumber(['newlyFailing', 'bothFailed'], secondNumber),
    );
    return {
      ...row,
      ...(fields === undefined ? {} : { fields: fields.map((field) => shownChange(field, isWhole)) }),
      ...(inputs === undefined
        ? {}
        : { inputs: inputs.map((value) => (value === null ? null : shownValue(value))) }),
      ...(firstFailure === undefined ? {} : { firstFailure }),
      ...(secondFailure === undefined ? {} : { secondFailure }),
    };
  }

  async #failure(runId: string, number: number | undefined): Promise<ComparedFailure | undefined> {
    return number === undefined ? undefined : readRowFailure(this.#deps.store, runId, number);
  }
}

/** Why a row failed; undefined where that cannot be read: the outputs of other rows are still shown. */
async function readRowFailure(
  store: Pick<RunReading, 'readTraces'>,
  runId: string,
  row: number,
): Promise<ComparedFailure | undefined> {
  try {
    for await (const { line } of store.readTraces(runId, row, row)) {
      const failure = failureOfLine(line);
      if (failure !== undefined)
        return { nodeId: failure.nodeId, message: beginning(failure.message, maxMessage) };
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return undefined;
}
