import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { defaultSettings, settingsSchema } from '../../../src-main/domain/settings.ts';

const guide = await readFile(new URL('../../../docs/guide/settings.md', import.meta.url), 'utf8');
const rows = new Map(
  [...guide.matchAll(/^\| `(\w+)`\s*\| (.*?)\s*\|/gm)].map(([, name = '', value = '']) => [name, value]),
);

it('the guide lists exactly the settings that there are', () => {
  expect([...rows.keys()].sort()).toEqual(Object.keys(settingsSchema.shape).sort());
});

it.each(Object.entries(defaultSettings))('the guide gives the default of %s', (name, value) => {
  const code = /^`(.*)`$/.exec(rows.get(name) ?? '')?.[1] ?? '';
  expect(JSON.parse(code)).toEqual(value);
});

it('the example in the guide is a valid document', () => {
  const example = /```json\n(.*?)\n```/s.exec(guide)?.[1] ?? '';
  expect(settingsSchema.safeParse(JSON.parse(example)).success).toBe(true);
});
