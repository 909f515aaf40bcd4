import type { Middleware } from 'koa';
import type { Clock } from '../../src-main/base/clock.ts';
import { silentLog, type Log } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { createHttpApp } from '../../src-main/http/create-http-app.ts';
import { localSite } from '../../src-main/http/guard.ts';
import { startServer, type RunningServer } from '../../src-main/http/server.ts';

/** The HTTP layer alone, on a free port, with one route of the test's own. */
export function startSmallServer(
  route: Middleware,
  { clock = systemClock, log = silentLog }: { clock?: Clock; log?: Log } = {},
): Promise<RunningServer> {
  const listener = (port: number) =>
    createHttpApp({ site: localSite(port, []), publicApi: route, clock, log });
  return startServer({ port: 0, listener, clock, log });
}

/** A request without a body, ready to send. */
export const rawGet = (port: number, path: string, headers: readonly string[] = []): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
