// Each of Electron's fuses has a setting of ours. An Electron with other fuses is not packed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { builderFuses, ownFuses, setOwnFuses } from '../../../scripts/require-all-fuses.mjs';

const root = join(import.meta.dirname, '../../..');
const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
  readonly afterPack: string;
  readonly electronFuses: Readonly<Record<string, boolean>>;
};
const { FuseV1Options } = createRequire(join(root, 'package.json'))('@electron/fuses') as {
  readonly FuseV1Options: Readonly<Record<string, string | number>>;
};
const binaryWith = (count: number): Buffer =>
  Buffer.concat([
    Buffer.from('code dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
    Buffer.from([1, count]),
    Buffer.from('0'.repeat(count) + ' more code'),
  ]);

it('the packer and the script together set each fuse that the installed tool knows, in its order', () => {
  const known = Array.from({ length: Object.keys(FuseV1Options).length / 2 }, (_, at) =>
    String(FuseV1Options[at]).replace(/^./, (letter) => letter.toLowerCase()),
  );
  expect([...builderFuses, ...Object.keys(ownFuses)].slice(0, known.length)).toEqual(known);
  expect(Object.keys(config.electronFuses).sort()).toEqual([...builderFuses].sort());
});

it('the packer calls the script', () => {
  expect(config.afterPack).toBe('scripts/require-all-fuses.mjs');
});

it('an Electron with a fuse more, or one less, is not packed', () => {
  const all = builderFuses.length + Object.keys(ownFuses).length;
  for (const count of [all + 1, all - 1])
    expect(() => setOwnFuses(binaryWith(count), config.electronFuses)).toThrow(`Electron has ${count} fuses`);
  expect(() => setOwnFuses(Buffer.from('code'), config.electronFuses)).toThrow('no fuses');
});

it('a fuse without a setting stops the packing', () => {
  const without = { ...config.electronFuses, runAsNode: undefined };
  expect(() => setOwnFuses(binaryWith(9), without)).toThrow('does not set the fuses runAsNode');
});

it('the fuse that the packer does not know is set in each part of a binary', () => {
  const binary = Buffer.concat([binaryWith(9), binaryWith(9)]);
  setOwnFuses(binary, config.electronFuses);
  expect(binary.toString('latin1').match(/[01]{9}/g)).toEqual(['000000001', '000000001']);
});
