import { expect, it } from 'vitest';
import { parseBody, parseExpression } from '../../../../src-main/domain/expressions/parse-expression.ts';
import { itemNames } from '../../../../src-main/domain/expressions/scope.ts';

const scope = { names: itemNames };

it.each([
  '(async () => 1)()',
  '({ async run() { return 1; } }).run()',
  '({ async *run() { yield 1; } }).run().next()',
  'Promise.resolve(1)',
  'Prom\\u0069se.resolve(1)',
  '[Promise][0]["res" + "olve"](1)',
  '({ Promise }).Promise.reject(1)',
  '`${Promise.all([])}`',
  '((P = Promise) => new P(() => 1))()',
  'row.answer.then(String)',
])('an expression that may make promises is known by its words: %s', (text) => {
  expect(parseExpression(text, scope)).toMatchObject({ ok: true, value: { makesPromises: true } });
});

it.each([
  'for await (const one of row.list) return one;',
  'return await 1;',
  'const { resolve: later } = Promise; return 1;',
  'async function run() {} run();',
  'class Job { static async run() {} } return 1;',
])('a body that may make promises is known by its words: %s', (text) => {
  expect(parseBody(text, scope)).toMatchObject({ ok: true, value: { makesPromises: true } });
});

it.each([
  'row.n + 1',
  '"async, await a Promise"',
  '`a Promise ${row.n}`',
  '/* await */ row[row.key]',
  '/then/.test(row.s)',
])('an expression that only mentions promises makes none: %s', (text) => {
  expect(parseExpression(text, scope)).toMatchObject({ ok: true, value: { makesPromises: false } });
});
