// The headers of the last calls, each set once.
// INVARIANT: holds no value that opens something.
import type { ServerResponse } from 'node:http';
import type { KeyPlace, LoggedHeaders } from '../domain/api-log/logged-call.ts';
import {
  maskHeaders,
  maskKeys,
  openingPlaces,
  otherKeyHeader,
  valuesAt,
} from '../domain/api-log/mask-keys.ts';
import { keyHeader, replayHeader } from './key-headers.ts';
import { Recent } from './recent.ts';
import { securityHeaders } from './security-headers.ts';

/** Without keys. */
export type SentHeaders = {
  readonly headers: LoggedHeaders;
  readonly keyPlace: KeyPlace;
  /** As the client names itself. */
  readonly client: string;
  /** What they take in memory, about. */
  readonly bytes: number;
};
export type AnsweredHeaders = Pick<SentHeaders, 'headers' | 'bytes'>;
type AnsweredSet = AnsweredHeaders & {
  /** Those of the names that not every answer carries alike. */
  readonly varying: readonly number[];
};
type SentSet = SentHeaders & { readonly extra: string | undefined; readonly opening: readonly number[] };

/** As many clients as anybody looks at. */
const mostSets = 8;

export class RecentHeaders {
  readonly #sent = new Recent<SentSet>(mostSets);
  readonly #answered = new Recent<AnsweredSet>(mostSets);
  readonly #fixed: readonly string[];

  /** @param fixedKey taken out wherever it stands, since nothing in its looks says that it is a key */
  constructor(fixedKey?: string) {
    this.#fixed = fixedKey === undefined ? [] : [fixedKey];
  }

  /**
   * What a call came with, and the values that opened something: to be taken out elsewhere, and not to be kept.
   * @param raw name, value, name, value … @param extra a further header that carries keys
   */
  sent(raw: readonly string[], extra: string | undefined): readonly [SentHeaders, readonly string[]] {
    const known = this.#sent.find((set) => set.extra === extra && isSameBut(set, raw));
    if (known !== undefined) {
      const values = [...valuesAt(raw, known.opening), ...this.#fixed];
      if (!isHeldElsewhere(known, values)) return [known, values];
    }
    const { headers, values } = maskHeaders(raw, extra, this.#fixed);
    const opening = openingPlaces(raw, extra);
    const made: SentSet = {
      headers,
      keyPlace: keyPlaceOf(raw, extra),
      client: maskKeys(valueOf(raw, 'user-agent'), values).slice(0, longestClient),
      bytes: bytesOf(headers),
      extra,
      opening,
    };
    return [this.#sent.keep(made), values];
  }

  /** What a call was answered with. */
  answered(response: ServerResponse): AnsweredHeaders {
    const names = response.getHeaderNames();
    const known = this.#answered.find((set) => isAnswer(set, names, response));
    if (known !== undefined) return known;
    const headers = names.map((name) => [name, valueIn(response, name)] as const);
    return this.#answered.keep({ headers, bytes: bytesOf(headers), varying: varyingOf(names) });
  }
}

const longestClient = 256;

/** But for the values that open something. One that was masked elsewhere is no longer what came, and so never the same. */
function isSameBut({ headers, opening }: SentSet, raw: readonly string[]): boolean {
  if (raw.length !== 2 * headers.length) return false;
  for (let at = 0; at < headers.length; at += 1) {
    const header = headers[at];
    if (header?.[0] !== raw[2 * at]) return false;
    if (header?.[1] !== raw[2 * at + 1] && !opening.includes(2 * at)) return false;
  }
  return true;
}

function isAnswer(
  { headers, varying }: AnsweredSet,
  names: readonly string[],
  response: Pick<ServerResponse, 'getHeader'>,
): boolean {
  if (headers.length !== names.length) return false;
  for (const at of varying) {
    const [name = '', value] = headers[at] ?? [];
    if (names[at] !== name || value !== valueIn(response, name)) return false;
  }
  return true;
}

/** As it was sent: lengths are set as numbers. */
const valueIn = (response: Pick<ServerResponse, 'getHeader'>, name: string): string =>
  String(response.getHeader(name) ?? '');

const onEveryAnswer = new Set(Object.keys(securityHeaders).map((name) => name.toLowerCase()));
const varyingOf = (names: readonly string[]): readonly number[] =>
  names.flatMap((name, at) => (onEveryAnswer.has(name) ? [] : [at]));

const bytesOf = (headers: LoggedHeaders): number =>
  headers.reduce((sum, [name, value]) => sum + 2 * (name.length + value.length) + 64, 0);

/** The values are of this call, the headers of the first that had the same otherwise. */
function isHeldElsewhere({ headers }: SentSet, values: readonly string[]): boolean {
  for (const [, shown] of headers) if (maskKeys(shown, values) !== shown) return true;
  return false;
}

function keyPlaceOf(raw: readonly string[], extra: string | undefined): KeyPlace {
  const names = [keyHeader, ...(extra === undefined ? [] : [extra])];
  const isThere = raw.some((name, index) => index % 2 === 0 && names.includes(name.toLowerCase()));
  if (isThere) return 'header';
  const elsewhere = otherKeyHeader(raw, [...names, replayHeader]);
  return elsewhere === undefined ? 'nowhere' : { elsewhere };
}

function valueOf(raw: readonly string[], wanted: string): string {
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() === wanted) return raw[index + 1] ?? '';
  }
  return '';
}
