// Calls as HTTP Archive 1.2 entries, for the tools that read it. Keys were masked before the calls were noted.
import type { CallContent, LoggedBody, LoggedCall, LoggedHeaders } from './logged-call.ts';

type HarHeader = { readonly name: string; readonly value: string };

/** One of `log.entries`; what we do not know is -1, as the format says. */
export type HarEntry = {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: object;
  readonly response: object;
  readonly cache: object;
  readonly timings: object;
  readonly comment?: string;
};

/** @param base the server's own address, without a slash at its end */
export function harEntry(call: LoggedCall, content: CallContent, base: string): HarEntry {
  const wait = Math.max(0, call.firstByteMs);
  const receive = Math.max(0, call.ms - wait);
  const comment = commentOf(call);
  return {
    startedDateTime: new Date(call.at).toISOString(),
    time: wait + receive,
    request: request(call, content, base),
    response: response(call, content),
    cache: {},
    timings: { send: 0, wait, receive },
    ...(comment === '' ? {} : { comment }),
  };
}

function request(call: LoggedCall, { requestHeaders, sent }: CallContent, base: string): object {
  return {
    method: call.method,
    url: `${base}${call.path}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(requestHeaders),
    queryString: query(call.path),
    headersSize: -1,
    bodySize: call.sentBytes,
    ...(sent.bytes === 0
      ? {}
      : {
          postData: { mimeType: valueOf(requestHeaders, 'content-type'), text: sent.text, ...cutNote(sent) },
        }),
  };
}

function response(call: LoggedCall, { answerHeaders, answer }: CallContent): object {
  return {
    status: call.status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(answerHeaders),
    content: {
      size: call.answerBytes,
      mimeType: valueOf(answerHeaders, 'content-type'),
      text: answer.text,
      ...cutNote(answer),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: call.answerBytes,
  };
}

const headers = (logged: LoggedHeaders): readonly HarHeader[] =>
  logged.map(([name, value]) => ({ name, value }));

function query(path: string): readonly HarHeader[] {
  const start = path.indexOf('?');
  if (start < 0) return [];
  const pairs = path.slice(start + 1).split('&');
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('=') };
  });
}

const valueOf = (logged: LoggedHeaders, headerName: string): string =>
  logged.find(([name]) => name.toLowerCase() === headerName)?.[1] ?? '';

const cutNote = ({ isWhole }: LoggedBody): object =>
  isWhole ? {} : { comment: 'Only the beginning is kept, without keys' };

function commentOf({ key, charged, refusal, replayOf }: LoggedCall): string {
  return [
    ...(key === undefined ? [] : [`key ${key.name} …${key.last4}`]),
    ...charged.map(({ limit, used, of }) => `${limit} ${used} of ${of}`),
    ...(refusal?.limit === undefined ? [] : [`refused by ${refusal.limit}`]),
    ...(replayOf === undefined ? [] : ['repeated from the app']),
  ].join(', ');
}
