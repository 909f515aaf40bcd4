import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from './start-test-app.ts';

type ControlAnswer = { readonly status: number; readonly code: string | null; readonly text: string };

export type ControlCalls = {
  readonly token: string;
  /** One request below the control API's prefix, with the token but for what is given. */
  send(
    path: string,
    sent?: {
      readonly method?: string;
      readonly body?: string | Uint8Array<ArrayBuffer>;
      readonly headers?: Record<string, string>;
    },
  ): Promise<ControlAnswer>;
};

/** The control API of an app as one of its pages speaks to it. */
export async function controlOf(app: TestApp): Promise<ControlCalls> {
  const info = JSON.parse(await readFile(join(app.dataDir, 'server.json'), 'utf8')) as {
    controlToken: string;
  };
  const token = info.controlToken;
  return {
    token,
    send: async (path, { method = 'POST', body, headers = {} } = {}) => {
      const response = await fetch(`${app.url}/_rowbench/v1${path}`, {
        method,
        headers: { 'x-rowbench-token': token, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const code = response.headers.get('x-rowbench-error');
      return { status: response.status, code, text: await response.text() };
    },
  };
}
