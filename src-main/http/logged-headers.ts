// The headers of a call and of its answer, as the API log keeps them.
// INVARIANT: `headers` and `client` hold no secret value.
import type { ServerResponse } from 'node:http';
import type { KeyLocation, LoggedHeaders } from '../domain/api-log/logged-call.ts';
import { maskHeaders, maskKeys, otherKeyHeader } from '../domain/api-log/mask-keys.ts';

export type SentHeaders = {
  readonly headers: LoggedHeaders;
  readonly keyLocation: KeyLocation;
  /** As the client names itself. */
  readonly client: string;
  /** The secret values themselves, to mask them elsewhere in the call. Never to be kept. */
  readonly values: readonly string[];
};

export type KeyHeaders = {
  /** A further header that carries keys. */
  readonly extra: string | undefined;
  /** A key that is masked wherever it stands, since its form does not show that it is one. */
  readonly fixedKey: string | undefined;
};

const longestClient = 256;

/**
 * The headers of a request, masked.
 * @param raw name, value, name, value …
 */
export function sentHeaders(raw: readonly string[], { extra, fixedKey }: KeyHeaders): SentHeaders {
  const { headers, values } = maskHeaders(raw, extra, fixedKey === undefined ? [] : [fixedKey]);
  return {
    headers,
    keyLocation: keyLocationOf(raw, extra),
    client: maskKeys(valueOf(raw, 'user-agent'), values).slice(0, longestClient),
    values,
  };
}

/** The headers of an answer. */
export const answeredHeaders = (response: ServerResponse): LoggedHeaders =>
  response.getHeaderNames().map((name) => [name, String(response.getHeader(name) ?? '')] as const);

function keyLocationOf(raw: readonly string[], extra: string | undefined): KeyLocation {
  const names = [keyHeader, ...(extra === undefined ? [] : [extra])];
  const isThere = raw.some((name, index) => index % 2 === 0 && names.includes(name.toLowerCase()));
  if (isThere) return 'header';
  const elsewhere = otherKeyHeader(raw, [...names, replayHeader]);
  return elsewhere === undefined ? 'nowhere' : { elsewhere };
}

function valueOf(raw: readonly string[], lowerName: string): string {
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() === lowerName) return raw[index + 1] ?? '';
  }
  return '';
}

/** The header that carries the key: the interface's neutral name; a setting adds the deployed service's own. */
export const keyHeader = 'x-service-key';
/**
 * Header of a call that the app repeats. Its value is a pass that stands for the key, which only the key's owner has.
 */
export const replayHeader = 'x-rowbench-replay';
