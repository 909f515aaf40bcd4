// An answer of JSON, made once: what is sent is what the API log keeps.
import type { RouterContext } from '@koa/router';
import { notesOf } from '../call-notes.ts';

export const answerJson = (context: RouterContext, body: object): void =>
  answerText(context, JSON.stringify(body));

/** @param json the body */
export function answerText(context: RouterContext, json: string): void {
  // As Koa would for `json`, which looks it up each time.
  context.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  context.body = json;
  notesOf(context).answer = json;
}
