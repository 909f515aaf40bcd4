import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { silentLog, type Log } from '../../../src-main/base/log.ts';
import {
  bodyTooLarge,
  invalidBody,
  invalidKey,
  keyNotAllowed,
  malformedRequest,
  methodNotAllowed,
  rateLimited,
  requestTimedOut,
  routeNotFound,
} from '../../../src-main/domain/request-errors.ts';
import { moveNotAllowed, runNotCompleted, runNotFound } from '../../../src-main/domain/run-errors.ts';
import { dataFolderLocked, storeDegraded } from '../../../src-main/domain/store-errors.ts';
import { workflowNotFound } from '../../../src-main/domain/workflow-errors.ts';
import { errorAnswer, rawAnswer } from '../../../src-main/http/error-response.ts';

const failureOf = (error: string) => ({ success: false, error });
const answerTo = (error: unknown) => errorAnswer(error, silentLog);

describe('an error that is meant for the client', () => {
  it.each([
    [invalidKey(), 401, 'Invalid API key'],
    [keyNotAllowed(), 403, 'API key does not have access to this workflow'],
    [workflowNotFound(), 404, 'Workflow not found'],
    [runNotFound(), 404, 'Workflow run not found'],
    [runNotCompleted('queued'), 400, 'Workflow run is not completed. Current status: queued'],
    [
      runNotCompleted('failed', 'Node "a" failed'),
      400,
      'Workflow run is not completed. Current status: failed. Error: Node "a" failed',
    ],
    [bodyTooLarge('too many'), 413, 'Request body too large: too many'],
    [moveNotAllowed('completed', 'pause'), 409, 'A completed run cannot be paused'],
    [requestTimedOut('body'), 408, "The request's body took too long to arrive"],
    [routeNotFound(), 404, 'Not found'],
  ])('keeps its message and gets its status: %s', (error, status, message) => {
    const answer = answerTo(error);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ success: false, error: message });
  });

  it('tells in headers when to retry, which limit was hit and which methods there are', () => {
    expect(answerTo(rateLimited(7, 'status')).headers).toMatchObject({
      'Retry-After': '7',
      'x-rowbench-limit': 'status',
    });
    expect(answerTo(methodNotAllowed('GET')).headers).toMatchObject({ Allow: 'GET' });
    expect(answerTo(storeDegraded()).headers).toMatchObject({ 'Retry-After': '30' });
  });

  it('declares its length in bytes, not letters', () => {
    const { headers, body } = answerTo(invalidBody('“…”'));
    expect(headers['Content-Length']).toBe(String(Buffer.byteLength(body)));
  });
});

it('an error of the data folder has its text for the owner alone', () => {
  const { status, body } = errorAnswer(dataFolderLocked('/home/x', 7), silentLog, true);
  expect(status).toBe(500);
  expect(JSON.parse(body)).toEqual(
    failureOf(
      'The data folder /home/x is in use by another Rowbench (process 7). Stop it, or name another folder with --data',
    ),
  );
  expect(errorAnswer(new TypeError('x'), silentLog, true).body).toContain('Internal error.');
});

describe('an error that is not', () => {
  it.each([
    new TypeError('key rbk_secret at /home/x'),
    'thrown text',
    undefined,
    { status: 200, expose: true, message: 'fine' },
    new AppError('data_unreadable', '/home/x/settings.json is damaged'),
  ])('is a fixed text with an id under which the log has it: %s', (error) => {
    const logged: unknown[] = [];
    const log: Log = { ...silentLog, error: (fields) => void logged.push(fields) };
    const { status, body } = errorAnswer(error, log);
    expect(status).toBe(500);
    const { error: message } = JSON.parse(body) as { error: string };
    const requestId = message.slice(-36);
    expect(message).toBe(`Internal error. The log has more under the request id ${requestId}`);
    expect(logged).toEqual([{ requestId, error }]);
  });
});

it('an answer for a bare socket is a whole HTTP answer that ends the connection', () => {
  const text = rawAnswer(answerTo(malformedRequest()));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
  expect(head).toContain('\r\nConnection: close');
  expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`);
  expect(JSON.parse(body)).toEqual({ success: false, error: 'Malformed HTTP request' });
});
