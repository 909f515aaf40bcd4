// Makes a noted call to our own port once more: the same target, headers and body, through the same door. The server
// does not have the call's key; the pass names the key instead.
import { request as openRequest } from 'node:http';
import { callGone } from '../domain/request-errors.ts';
import type { CallContent, LoggedCall } from '../domain/api-log/logged-call.ts';
import { masked } from '../domain/api-log/mask-keys.ts';
import { replayHeader } from './logged-headers.ts';

export type Replay = {
  readonly port: number;
  readonly call: LoggedCall;
  readonly content: CallContent;
  /** A pass's text. */
  readonly token: string;
};

/** Headers of one connection, not of the call; a replay leaves them out. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Resolves when the answer has come to its end. Throws `call_gone` where there was none. */
export function replayCall({ port, call, content, token }: Replay): Promise<void> {
  const sent = content.requestHeaders.filter(
    ([name, value]) => !ofConnection.has(name.toLowerCase()) && value !== masked,
  );
  const body = Buffer.from(content.sent.text);
  const length = body.length > 0 || call.method === 'POST' ? [['Content-Length', String(body.length)]] : [];
  const headers = [...sent, ...length, [replayHeader, token], ['Connection', 'close']].flat();
  return new Promise((resolve, reject) => {
    const request = openRequest(
      { host: '127.0.0.1', port, method: call.method, path: call.path, headers, agent: false },
      (response) => {
        response.once('close', resolve);
        response.resume();
      },
    );
    request.once('error', (cause) => reject(callGone(call.number, cause)));
    request.end(body);
  });
}
