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
