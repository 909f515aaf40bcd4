import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { maskKeys, maskTarget } from '../../../src-main/domain/api-log/mask-keys.ts';
import { RecentHeaders } from '../../../src-main/http/recent-headers.ts';

it('the fixed key is taken out wherever it stands, and however it is written', () => {
  const key = 'ci/"0123456789abcdef';
  const recent = new RecentHeaders(key);
  for (const raw of [
    ['X-Note', key],
    ['X-Note', 'plain'],
    ['X-Note', 'plain'],
  ]) {
    const [{ headers }, values] = recent.sent(raw, undefined);
    expect(headers).toEqual([['X-Note', raw[1] === key ? '•••' : 'plain']]);
    expect(maskTarget(`/api/${encodeURIComponent(key)}?x=${key}`, values)).toBe('/api/•••?x=•••');
    expect(maskKeys(JSON.stringify({ a: key }), values)).toBe('{"a":"•••"}');
  }
});

it('answers that carry the same are kept once, whatever their length was set as', () => {
  const recent = new RecentHeaders();
  const answered = (length: number | string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader('Content-Type', 'application/json').setHeader('Content-Length', length);
    return recent.answered(response);
  };
  const first = answered(120);
  expect(first.headers).toContainEqual(['content-length', '120']);
  expect(answered(121)).not.toBe(first);
  for (const length of [120, '120']) expect(answered(length)).toBe(first);
});
