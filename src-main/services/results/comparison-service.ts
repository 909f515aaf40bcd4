// Compares the results of two runs. Who calls: the control API. This service changes no stored data.
import { AppError } from '../../base/app-error.ts';
import type {
  ComparedRow,
  ComparisonSlice,
  ComparisonRequest,
  FieldRule,
  RowMatching,
} from '../../domain/query/compare-runs.ts';
import type {
  ComparedFailure,
  ComparedRowView,
  ComparedRuns,
  ComparisonStepView,
  RunComparisonView,
} from '../../domain/query/comparison-views.ts';
import { shownChange } from '../../domain/query/difference-excerpt.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import { comparedRunNotFound } from '../../domain/run-errors.ts';
import { failureOfLine } from '../../domain/results/scan-trace-line.ts';
import type { Run } from '../../domain/run/run.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import type { RowQueries, RunReading } from '../ports.ts';
import { storedRerunKind } from '../runs/stored-rerun-kind.ts';
import type { RunService } from '../runs/run-service.ts';

/** A message may be as long as a page. */
const maxMessage = 1_000;

type ComparisonDeps = {
  readonly runs: RunService;
  readonly store: RunReading;
  readonly queries: RowQueries;
};

type ComparedPair = {
  /** Ids of the runs, or 4 or more characters of their beginnings or ends. */
  readonly firstRunId: string;
  readonly secondRunId: string;
  readonly matching?: RowMatching | undefined;
  readonly rules?: readonly FieldRule[] | undefined;
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
    const { matching, counts, repeatedKeys, fields, rows } = found;
    return { ...runs, matching, counts, repeatedKeys, fields, rows };
  }

  /** Some rows of a comparison, or how far it is after a quarter of a second. Throws as `compare`. */
  async page({
    isWhole = false,
    version,
    from,
    count,
    outcome,
    field,
    ...pair
  }: PageOptions): Promise<ComparisonStepView> {
    const { runs, request } = await this.#prepare(pair);
    const slice = { from, count, outcome, field };
    const step = await this.#deps.queries.compareStep({ ...request, slice, version });
    if (!step.isReady) return step;
    const rows: ComparedRowView[] = [];
    for (const row of step.rows) rows.push(await this.#shown(row, runs, isWhole));
    return { ...step, ...runs, rows };
  }

  async #prepare(pair: ComparedPair): Promise<{
    readonly runs: ComparedRuns;
    readonly request: Omit<ComparisonRequest, 'slice'>;
  }> {
    const first = await this.#find(pair.firstRunId);
    const second = await this.#find(pair.secondRunId);
    const { rules = [], matching = await this.#defaultMatching(first, second) } = pair;
    const [firstRunId, secondRunId] = [first.runId, second.runId];
    return {
      runs: { firstRunId, secondRunId, isSameWorkflow: first.workflowHash === second.workflowHash },
      request: { firstRunId, secondRunId, options: { matching, rules } },
    };
  }

  /** Throws `run_not_found` with the text, so that the user learns which of two runs there is not. */
  async #find(text: string): Promise<Run> {
    const { runs } = this.#deps;
    try {
      return (await runs.get(await runs.resolve(text))).run;
    } catch (error) {
      throw error instanceof AppError && error.code === 'run_not_found' ? comparedRunNotFound(text) : error;
    }
  }

  async #shown(
    { fields, ...row }: ComparedRow,
    { firstRunId, secondRunId }: ComparedRuns,
    isWhole: boolean,
  ): Promise<ComparedRowView> {
    const { outcome, firstNumber, secondNumber } = row;
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
      ...(firstFailure === undefined ? {} : { firstFailure }),
      ...(secondFailure === undefined ? {} : { secondFailure }),
    };
  }

  async #failure(runId: string, number: number | undefined): Promise<ComparedFailure | undefined> {
    return number === undefined ? undefined : readRowFailure(this.#deps.store, runId, number);
  }

  /** Reruns that keep the row numbers of the same run are matched by them. */
  async #defaultMatching(first: Run, second: Run): Promise<RowMatching> {
    return (await this.#numberedBy(first)) === (await this.#numberedBy(second)) ? 'number' : 'position';
  }

  /** The id of the run that numbered the rows: the run itself, or one that it repeats, directly or by way of other reruns. */
  async #numberedBy(run: Run): Promise<string> {
    const { runId, workflowId, rerunOf, rerunKind } = run;
    if (rerunOf === undefined || rerunKind === 'otherRows') return runId;
    const original = await this.#deps.runs.find(workflowId, rerunOf);
    if (original === undefined) return rerunOf;
    const kind = await storedRerunKind(this.#deps.store, original, run);
    return kind === 'otherRows' ? runId : this.#numberedBy(original);
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
