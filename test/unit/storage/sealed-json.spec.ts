import { expect, it } from 'vitest';
import { openSeal, sealedJson } from '../../../src-main/storage/durable/json-file.ts';

const document = { version: 1, text: 'é", "checksum": "00000000"\n}', list: [{}, []], nothing: null };
const sealed = Buffer.from(sealedJson(document)).toString();

it('a document with its checksum is still JSON', () => {
  const { checksum, ...rest } = JSON.parse(sealed) as Record<string, unknown>;
  expect(rest).toEqual(document);
  expect(checksum).toMatch(/^[0-9a-f]{8}$/);
});

it('the checksum of a document can be removed again', () => {
  const { text, seal } = openSeal(sealed);
  expect(seal).toBe('whole');
  expect(text).toBe(`${JSON.stringify(document, null, 2)}\n`);
});

it('a document without a checksum stays as it is', () => {
  const text = JSON.stringify(document);
  expect(openSeal(text)).toEqual({ text, seal: 'none' });
});

it('a checksum detects each changed character before it', () => {
  for (let at = 0; at < sealed.indexOf('"checksum": "', 60) - 4; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'x' ? 'y' : 'x') + sealed.slice(at + 1);
    expect(openSeal(changed).seal, changed).toBe('broken');
  }
});
