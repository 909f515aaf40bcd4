// A few minutes of a user's work on settings, keys, secrets, grants, imports and recorded calls, through the services
// of one process. The story notes every answer.
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src-main/base/app-error.ts';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { isRefusedForNow } from '../../../src-main/domain/store-errors.ts';
import { recordedCall } from '../recorded-call.ts';
import {
  beginLife,
  valuesOf,
  importedFiles,
  importedId,
  leaveStaleLock,
  type DocumentLife,
} from './document-life.ts';

/**
 * By the name of a fact, what it may be at the next start: the value that was answered for last, and each one that was
 * asked for since and neither answered nor refused.
 */
export type Promises = Map<string, unknown[]>;

/** The facts of a new data folder, each with its only possible value. */
export const initialPromises = (): Promises =>
  new Map<string, unknown[]>([
    ['settings', [1_000_000]],
    ['network', [['public']]],
    ['cassette', [[]]],
  ]);

export type Failed = { readonly at: string; readonly error: unknown };

/** Plays the story to its end, even after failures; resolves to all failures. */
export async function live(life: DocumentLife, promises: Promises): Promise<readonly Failed[]> {
  const failed: Failed[] = [];
  const before = (name: string): unknown[] => promises.get(name) ?? [undefined];
  const change = async <T>(name: string, value: unknown, act: () => Promise<T>): Promise<T | undefined> => {
    const possible = before(name);
    promises.set(name, [...possible, value]);
    try {
      const answer = await act();
      promises.set(name, [value]);
      return answer;
    } catch (error) {
      // A secret is written twice, so that no older file has its old value; the second one may be refused alone.
      if (isRefusedForNow(error) && !name.startsWith('secret')) promises.set(name, possible);
      failed.push({ at: `${name}: ${String(value)}`, error });
      return undefined;
    }
  };
  const { folder, settings, keys, trust, secrets } = life;
  await change('settings', 123, () => settings.change({ maxRows: 123 }));
  const first = await change('key first', 'open', () => keys.create({ name: 'first', workflows: null }));
  await change('secret TOKEN', 'one', () => secrets.set({ name: 'TOKEN', value: 'one', hosts: [] }));
  await change('secret TOKEN', 'two', () => secrets.set({ name: 'TOKEN', value: 'two', hosts: [] }));
  await change('import', texts('v1'), () => importAll(life, 'v1'));
  await change('network', ['public', 'lan'], () => trust.grant(importedId, { allow: ['lan'], deny: [] }));
  if (first !== undefined) await change('key first', 'revoked', () => keys.revoke(first.key.id));
  await record(life, change);
  await change('import', texts('v2'), () => importAll(life, 'v2'));
  await change('retention', 5, () => folder.retention.update((file) => ({ ...file, clockMs: 5 })));
  await change('key second', 'open', () => keys.create({ name: 'second', workflows: null }));
  await change('secret TOKEN', undefined, () => secrets.remove('TOKEN'));
  await change('settings', 124, () => settings.change({ maxRows: 124 }));
  return failed;
}

const texts = (text: string): readonly string[] => importedFiles.map(() => text);

async function importAll({ folder }: DocumentLife, text: string): Promise<void> {
  const staged = await folder.imports.stage(importedId);
  try {
    for (const name of importedFiles) await staged.addFile(name, Buffer.from(text));
    await staged.commit();
  } catch (error) {
    await staged.abandon();
    throw error;
  }
}

type Change = <T>(name: string, value: unknown, act: () => Promise<T>) => Promise<T | undefined>;

async function record({ folder }: DocumentLife, change: Change): Promise<void> {
  const urls: string[] = [];
  const recorder = await change('cassette', [], () =>
    folder.cassettes.cassetteOf(importedId).record('run-1'),
  );
  if (recorder === undefined) return;
  for (const name of ['a', 'b']) {
    const url = `https://api.example.com/${name}`;
    const call = recordedCall({ row: urls.length + 1, request: { method: 'GET', url } });
    await change('cassette', [...urls, url], () => recorder.add(call));
    urls.push(url);
  }
  await change('cassette', [...urls], () => recorder.close());
}

/**
 * Failures that are not in the product's own words: no user would know what they mean. The key of the secrets is left out:
 * what keeps it from being read is thrown as it came.
 */
export const unexplained = (failed: readonly Failed[]): readonly Failed[] =>
  failed.filter(({ error }) => !(error instanceof AppError || String(error).includes('secrets.key')));

/** Starts a newer version on what is there; resolves to each promise that is broken, in words. */
export async function brokenPromises(disk: FileSystem, promises: Promises): Promise<readonly string[]> {
  await leaveStaleLock(disk);
  let life: DocumentLife;
  try {
    life = await beginLife(disk, '1.0.1');
  } catch (error) {
    return [`it does not start: ${String(error)}`];
  }
  const broken: string[] = [];
  try {
    const values = await valuesOf(life, disk);
    for (const name of new Set([...Object.keys(values), ...promises.keys()])) {
      const possible = promises.get(name) ?? [undefined];
      if (!possible.some((value) => isDeepStrictEqual(value, values[name])))
        broken.push(`${name} is ${JSON.stringify(values[name])}, and was ${JSON.stringify(possible)}`);
    }
  } catch (error) {
    broken.push(`it fails: ${String(error)}`);
  }
  await life.close().catch((error: unknown) => broken.push(`it does not close: ${String(error)}`));
  return [...broken, ...life.notices.map((words) => `reported without cause: ${words}`)];
}
