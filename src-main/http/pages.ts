// Serves the app's pages: files that were read at the start, and one document for all addresses of the app. The files
// hold nothing secret: pages get their data through the control API. The guard has checked host and origin before.
import type { Context, Middleware } from 'koa';
import { methodNotAllowed } from '../domain/request-errors.ts';

/** By path, as `readPageFiles` gives them. */
export type PageFiles = ReadonlyMap<string, Uint8Array>;

/** True for a path of the app, which is answered with the document. The app's router shows the screen of the path. */
export const isPagePath = (path: string): boolean =>
  /^\/(?:$|(?:runs|compare|workflows|find|keys|log|settings)(?:\/[^/]*){0,2}$)/.test(path);
/** Named after their content by the build, so that they never change. */
const hashedPattern = /^\/assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

const documentPath = '/index.html';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
};

/**
 * Only files of our own, no text of a workflow or row as markup: Svelte's templates are the one thing that may become
 * elements, and no other code may make any.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');

/** Answers the pages' paths; every other path goes on to the next middleware, as all do where there are no pages. */
export function createPages(files: PageFiles): Middleware {
  return (context, next) => {
    const path = isPagePath(context.path) ? documentPath : context.path;
    const file = files.get(path);
    if (file === undefined || context.path === documentPath) return next();
    if (context.method !== 'GET' && context.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    answer(context, path, file);
  };
}

function answer(context: Context, path: string, file: Uint8Array): void {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  context.set('Content-Security-Policy', pagePolicy);
  // Else `no-store`, as on every answer: the next build's document names other files.
  if (hashedPattern.test(path)) context.set('Cache-Control', 'public, max-age=31536000, immutable');
  context.type = types[extension] ?? 'application/octet-stream';
  context.body = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
}
