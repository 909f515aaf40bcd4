// A cassette while it is being recorded. Pure, and made of the calls alone: the order in which rows happen to be
// answered leaves no trace, so that recording again gives the same file.
// INVARIANT: of all rows that made an equal request at a place, the answers of the first are kept, and all of them.
import { z } from 'zod';
import { isSameJson } from '../../base/json-value.ts';
import { cassetteFull } from '../workflow-errors.ts';
import {
  maxCassetteBytes,
  recordedRequest,
  recordedResponse,
  type Cassette,
  type CassetteEntry,
  type RecordedResponse,
} from './cassette.ts';
import { matchText } from './match-request.ts';

/** One answered call. */
export const recordedCall = z.strictObject({
  runId: z.string(),
  row: z.number(),
  site: z.string(),
  /** From 1. */
  attempt: z.number(),
  at: z.string(),
  request: recordedRequest,
  response: recordedResponse,
});
export type RecordedCall = z.output<typeof recordedCall>;

/** The answers that one row got at one place. */
type Taken = Pick<RecordedCall, 'runId' | 'row' | 'at' | 'request'> & {
  /** By attempt. An attempt that was not answered has none. */
  readonly responses: Map<number, RecordedResponse>;
  /** Maximum bytes of the request and its responses in the file. */
  bytes: number;
};

export class Recording {
  readonly #base: Cassette;
  readonly #before = new Map<string, CassetteEntry[]>();
  /** By request, then by place. */
  readonly #taken = new Map<string, Map<string, Taken>>();
  /** The first answer that came to each attempt at a place, by request, to find other answers. */
  readonly #firstAnswers = new Map<string, Map<string, RecordedCall>>();
  /** Runs that got different answers, by request. */
  readonly #differing = new Map<string, Set<string>>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param base what was recorded before; equal requests replace their answers in it */
  constructor(base: Cassette, maxBytes = maxCassetteBytes) {
    this.#base = base;
    this.#maxBytes = maxBytes;
    for (const entry of base.entries) {
      const key = matchText(entry.request, base.matchHeaders);
      const before = this.#before.get(key) ?? [];
      before.push(entry);
      this.#before.set(key, before);
      this.#bytes += writtenBytes(entry);
    }
  }

  get matchHeaders(): readonly string[] {
    return this.#base.matchHeaders;
  }

  get keepHeaders(): readonly string[] {
    return this.#base.keepHeaders;
  }

  /**
   * Requests at one place to which rows got different answers: a replay gives all rows those of the first row.
   * @param runId absent: of all runs
   */
  differingRequests(runId?: string): number {
    if (runId === undefined) return this.#differing.size;
    return [...this.#differing.values()].filter((runIds) => runIds.has(runId)).length;
  }

  /** False when the call changes nothing. Throws `invalid_input` when the cassette would grow too large. */
  take(call: RecordedCall): boolean {
    const key = matchText(call.request, this.matchHeaders);
    this.#noteAnswer(key, call);
    const ofRequest = this.#taken.get(key) ?? new Map<string, Taken>();
    const known = ofRequest.get(call.site);
    if (known !== undefined && isBefore(known, call)) return false;
    // A row that asks anew after its worker was lost begins with its first attempt again.
    const goesOn = known !== undefined && !isBefore(call, known) && call.attempt > 1;
    const bytes = writtenBytes(call.response) + (goesOn ? 0 : writtenBytes(call.request));
    const freed = goesOn ? 0 : (known?.bytes ?? this.#bytesBefore(key, ofRequest));
    if (this.#bytes + bytes - freed > this.#maxBytes) throw cassetteFull(this.#maxBytes);
    this.#bytes += bytes - freed;
    const { runId, row, at, request } = call;
    const taken: Taken = goesOn ? known : { runId, row, at, request, responses: new Map(), bytes: 0 };
    taken.responses.set(call.attempt, call.response);
    taken.bytes += bytes;
    this.#taken.set(key, ofRequest.set(call.site, taken));
    return true;
  }

  /** Everything, in an order that does not depend on when it was recorded. */
  cassette(): Cassette {
    const keys = new Set([...this.#before.keys(), ...this.#taken.keys()]);
    const all = [...keys].map((key) => {
      const taken = this.#taken.get(key);
      const before = this.#entriesBefore(key);
      return { key, entries: taken === undefined ? before : entriesOf(taken, before) };
    });
    all.sort((one, other) => compareTexts(orderOf(one), orderOf(other)));
    return { ...this.#base, entries: all.flatMap((of) => of.entries) };
  }

  #noteAnswer(key: string, call: RecordedCall): void {
    const { runId, row, site, attempt, response } = call;
    const answers = this.#firstAnswers.get(key) ?? new Map<string, RecordedCall>();
    this.#firstAnswers.set(key, answers);
    const attemptKey = `${attempt} ${site}`;
    const first = answers.get(attemptKey);
    // A row that runs again after its worker was lost has the later answer.
    if (first === undefined || (first.runId === runId && first.row === row)) answers.set(attemptKey, call);
    else if (!isSameJson(first.response, response)) {
      const runIds = this.#differing.get(key) ?? new Set();
      this.#differing.set(key, runIds.add(runId).add(first.runId));
    }
  }

  #entriesBefore(key: string): readonly CassetteEntry[] {
    return this.#before.get(key) ?? [];
  }

  /** Maximum bytes of the old entries that the first new answer to a request replaces; later answers: 0. */
  #bytesBefore(key: string, ofRequest: ReadonlyMap<string, Taken>): number {
    if (ofRequest.size > 0) return 0;
    return this.#entriesBefore(key).reduce((sum, entry) => sum + writtenBytes(entry), 0);
  }
}

/** Run ids begin with their time of acceptance, so that a run is before those that began later. */
const isBefore = (one: Asker, other: Asker): boolean =>
  one.runId === other.runId ? one.row < other.row : one.runId < other.runId;
type Asker = Pick<RecordedCall, 'runId' | 'row'>;

/** Places that got the same answers share an entry; the first in order stands for every place. */
function entriesOf(taken: ReadonlyMap<string, Taken>, old: readonly CassetteEntry[]): CassetteEntry[] {
  const sites = [...taken].sort(([one], [other]) => compareTexts([one], [other]));
  const made: CassetteEntry[] = [];
  for (const [site, { request, at, responses }] of sites) {
    const inOrder = [...responses].sort(([one], [other]) => one - other).map(([, response]) => response);
    const [general] = made;
    if (general !== undefined && isSameJson(general.responses, inOrder)) continue;
    const atSite = general === undefined ? {} : { place: site };
    const same = old.find((entry) => entry.place === atSite.place && isSameJson(entry.responses, inOrder));
    // The time at which it first said so: recording the same again changes no line of the file.
    made.push({ request, ...atSite, recordedAt: same?.recordedAt ?? at, responses: inOrder });
  }
  return made;
}

const orderOf = ({ key, entries }: { key: string; entries: readonly CassetteEntry[] }): string[] => {
  const request = entries[0]?.request;
  return [request?.url ?? '', request?.method ?? '', key];
};

function compareTexts(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((text, index) => text !== other[index]);
  if (at < 0) return 0;
  return (one[at] ?? '') < (other[at] ?? '') ? -1 : 1;
}

/** The text of a cassette's file: a line a field, so that it can be read and compared. */
export const cassetteText = (cassette: Cassette): string => `${JSON.stringify(cassette, null, 2)}\n`;

/** Maximum bytes of a part of the cassette in the file. */
function writtenBytes(part: unknown): number {
  const text = JSON.stringify(part, null, 2);
  // In the file each line is further in; a character has three bytes at most.
  return text.length * (isAscii(text) ? 1 : 3) + 8 * text.split('\n').length;
}

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);
