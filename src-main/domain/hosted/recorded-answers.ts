// Collects the answers of a hosted service by row, for a file that answers in its place. Who calls: AnswerRecording.
// INVARIANT: an answer is that of a row with the same fields and values; nothing is guessed.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { utf8Length } from '../../base/utf8-length.ts';
import { parseExactJson } from '../rows/exact-json.ts';
import { maxTableBytes } from '../sources/table.ts';

/** A completed run whose answers are recorded. */
type RecordedRun = { readonly runId: string; readonly finishedAt: string; readonly rows: number };

/** `alone`: the row was the only one of its run. */
type Company = 'alone' | 'among';

type Answer = {
  readonly run: RecordedRun;
  readonly output: string;
  /** Other outputs of the same row, newest first. */
  readonly others: string[];
  /** The newest output in a run of the row alone, and in one of several rows. */
  readonly inCompany: Partial<Record<Company, string>>;
};

type CollectorOptions = {
  /** SHA-256 of a text, hexadecimal: what the function `sha256` of expressions returns. */
  readonly hash: (text: string) => string;
  /** Maximum bytes of all records; absent: those of a table. */
  readonly maxBytes?: number;
};

/** Bytes of a record beside its outputs. */
const recordBytes = 200;

export class AnswerCollector {
  readonly #options: CollectorOptions;
  readonly #answers = new Map<string, Answer>();
  readonly #failedKeys = new Set<string>();
  readonly #leftOutRuns = new Set<string>();
  #bytes = 0;
  #leftOut = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Takes the next row and its output, both as JSON; an empty output means that the row failed. The newest run comes first. */
  add(run: RecordedRun, row: string, output: string): void {
    const key = this.#options.hash(canonicalJson(row));
    if (output === '') {
      this.#failedKeys.add(key);
      return;
    }
    const company: Company = run.rows === 1 ? 'alone' : 'among';
    const known = this.#answers.get(key);
    if (known === undefined) {
      if (this.#hasRoom(run, recordBytes + utf8Length(output)))
        this.#answers.set(key, { run, output, others: [], inCompany: { [company]: output } });
      return;
    }
    known.inCompany[company] ??= output;
    if ([known.output, ...known.others].some((other) => isSameJson(other, output))) return;
    if (this.#hasRoom(run, utf8Length(output) + 1)) known.others.push(output);
  }

  #hasRoom({ runId }: RecordedRun, bytes: number): boolean {
    const { maxBytes = maxTableBytes } = this.#options;
    if (this.#bytes + bytes <= maxBytes) {
      this.#bytes += bytes;
      return true;
    }
    this.#leftOut += 1;
    this.#leftOutRuns.add(runId);
    return false;
  }

  /** Rows with an answer. */
  get rows(): number {
    return this.#answers.size;
  }

  /** Rows of which another run has another answer. */
  get changedRows(): number {
    return [...this.#answers.values()].filter(({ others }) => others.length > 0).length;
  }

  /** Rows that failed in each run that had them. */
  get rowsWithoutOutput(): number {
    return [...this.#failedKeys].filter((key) => !this.#answers.has(key)).length;
  }

  /** Answers for which the file has no room, and their runs; undefined: all fit. */
  get leftOut(): { readonly rows: number; readonly runIds: readonly string[] } | undefined {
    return this.#leftOut === 0 ? undefined : { rows: this.#leftOut, runIds: [...this.#leftOutRuns] };
  }

  /** Rows that were sent alone and among others, and how many of them got different answers. */
  get dependence(): { readonly compared: number; readonly differing: number } {
    let [compared, differing] = [0, 0];
    for (const { inCompany } of this.#answers.values()) {
      const { alone, among } = inCompany;
      if (alone === undefined || among === undefined) continue;
      compared += 1;
      if (!isSameJson(alone, among)) differing += 1;
    }
    return { compared, differing };
  }

  /** One record a line: `key`, `run`, `at` and `output`, with other outputs where there are any. */
  *records(): Generator<string> {
    for (const [key, { run, output, others }] of this.#answers) {
      const { runId, finishedAt } = run;
      const head = JSON.stringify({ key, run: runId, at: finishedAt }).slice(0, -1);
      const othersPart = others.length === 0 ? '' : `,"others":[${others.join(',')}]`;
      yield `${head},"output":${output}${othersPart}}\n`;
    }
  }
}

const isSameJson = (one: string, other: string): boolean =>
  one === other || canonicalJson(one) === canonicalJson(other);

/** The JSON with the fields of each object sorted: equal for equal values. The node `key` of a recorded workflow computes the same. */
export const canonicalJson = (json: string): string =>
  JSON.stringify(sorted(parseExactJson(json) as JsonValue));

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/** Answers of a hosted service that were written beside the workflow. */
export type RecordedAnswersView = {
  readonly workflowId: string;
  readonly connection: string;
  /** Path of the file with the records. */
  readonly file: string;
  /** Rows with a record, and the runs that were read. */
  readonly rows: number;
  readonly runs: number;
  /** Rows of which another run has another answer: the newest one is used. */
  readonly changedRows: number;
  /** Rows that failed at the service: they have no record. */
  readonly rowsWithoutOutput: number;
  /** Answers for which the file has no room, and their runs; absent: all fit. */
  readonly leftOut?: { readonly rows: number; readonly runIds: readonly string[] };
  /** Outputs were matched to rows by their order, without proof. */
  readonly isByOrder?: true;
  /** Nodes to paste: the workflow has nodes of its own, and was not changed. Absent: it answers from the records now. */
  readonly nodes?: string;
};

/** When the newest answer of a file of records was given, in ms; undefined if its first line is no record. */
export function newestRecordMs(records: string): number | undefined {
  try {
    const first = JSON.parse(records.slice(0, records.search(/\n|$/))) as JsonValue;
    const at = isJsonObject(first) ? first['at'] : undefined;
    return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? Date.parse(at) : undefined;
  } catch {
    return undefined;
  }
}
