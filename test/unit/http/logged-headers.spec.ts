import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { maskKeys, maskTarget } from '../../../src-main/domain/api-log/mask-keys.ts';
import { answeredHeaders, sentHeaders } from '../../../src-main/http/logged-headers.ts';

it('the fixed key is taken out wherever it stands, and however it is written', () => {
  const key = 'ci/"0123456789abcdef';
  for (const raw of [
    ['X-Note', key],
    ['X-Note', 'plain'],
  ]) {
    const { headers, values } = sentHeaders(raw, { extra: undefined, fixedKey: key });
    expect(headers).toEqual([['X-Note', raw[1] === key ? '•••' : 'plain']]);
    expect(maskTarget(`/api/${encodeURIComponent(key)}?x=${key}`, values)).toBe('/api/•••?x=•••');
    expect(maskKeys(JSON.stringify({ a: key }), values)).toBe('{"a":"•••"}');
  }
});

it("an answer's headers are kept as text, whatever their length was set as", () => {
  for (const length of [120, '120']) {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader('Content-Type', 'application/json').setHeader('Content-Length', length);
    expect(answeredHeaders(response)).toContainEqual(['content-length', '120']);
  }
});
