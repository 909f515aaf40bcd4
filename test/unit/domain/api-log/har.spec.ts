import { expect, it } from 'vitest';
import { harEntry } from '../../../../src-main/domain/api-log/har.ts';
import { emptyContent, loggedCall } from '../../../builders/logged-call.ts';

it('an entry has what HTTP Archive 1.2 asks for', () => {
  const call = loggedCall({
    method: 'POST',
    path: '/api/v1/x?n=1&m=a=b',
    status: 201,
    sentBytes: 11,
    charged: [{ limit: 'trigger', used: 3, of: 50 }],
  });
  const content = {
    ...emptyContent,
    requestHeaders: [['Content-Type', 'application/json'] as const],
    sent: { text: '{"rows":[]}', bytes: 11, isWhole: true },
    answer: { text: '{"success', bytes: 90, isWhole: false },
  };
  expect(harEntry(call, content, 'http://127.0.0.1:4170')).toEqual({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 2,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4170/api/v1/x?n=1&m=a=b',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      queryString: [
        { name: 'n', value: '1' },
        { name: 'm', value: 'a=b' },
      ],
      headersSize: -1,
      bodySize: 11,
      postData: { mimeType: 'application/json', text: '{"rows":[]}' },
    },
    response: {
      status: 201,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: {
        size: 10,
        mimeType: '',
        text: '{"success',
        comment: 'Only the beginning is kept, without keys',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: 10,
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 1 },
    comment: 'key My key …7f2a, trigger 3 of 50',
  });
});
