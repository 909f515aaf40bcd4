// Flips each byte of each document, and cuts each document at each length. A read then returns the stored value or is
// refused with the reason. It may return the version before, if that is reported for this document. It never returns
// another value, and the damage affects nothing else. damaged-store.spec.ts covers the database of runs.
// ROWBENCH_PROOF=long flips every bit.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { AppError } from '../../src-main/base/app-error.ts';
import { previousOf } from '../../src-main/storage/durable/durable-files.ts';
import { openSeal } from '../../src-main/storage/durable/json-file.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import { diskWith, filesOf, type StoredFile } from '../builders/durability/all-files.ts';
import { beginLife, dataPath, type DocumentLife } from '../builders/durability/document-life.ts';
import { initialPromises, live } from '../builders/durability/document-story.ts';
import { withoutPrevious } from '../builders/durability/unfaithful-disks.ts';
import { PowerCutFileSystem } from '../builders/power-cut-file-system.ts';
import { isLong, timeoutMs, report } from './length.ts';

type Values = Readonly<Record<string, unknown>>;
type Found = { readonly values: Values; readonly notices: readonly string[] };
/** A value that is refused, with the reason. */
const refused = Symbol('refused');

const pairedBrowser = {
  id: 'browser-1',
  name: 'Firefox on Linux',
  secretHash: 'a'.repeat(64),
  pairedAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: '2026-01-01T00:00:00.000Z',
};

let store: PowerCutFileSystem;
let healthy: Found;
beforeAll(async () => {
  store = new PowerCutFileSystem();
  const life = await beginLife(store);
  expect(await live(life, initialPromises())).toEqual([]);
  await life.trust.grant('other', { allow: ['lan'], deny: [] });
  await life.folder.browsers.update((file) => ({ ...file, browsers: [pairedBrowser] }));
  await life.secrets.set({ name: 'KEPT', value: 'kept', hosts: [] });
  await life.close();
  healthy = await documentsOn(store.afterCut({ entries: () => true, data: 'all' }));
});

async function documentsOn(disk: FileSystem): Promise<Found> {
  let life: DocumentLife;
  try {
    life = await beginLife(disk);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { values: {}, notices: [error.message] };
  }
  const { folder, secrets, notices } = life;
  try {
    const secret = async (): Promise<unknown> => {
      try {
        return await secrets.find('KEPT');
      } catch (error) {
        if (error instanceof AppError && error.code === 'data_unreadable') return refused;
        throw error;
      }
    };
    const values = {
      settings: folder.settings.value,
      keys: folder.keys.value,
      decisions: folder.workflows.value,
      retention: folder.retention.value,
      browsers: folder.browsers.value,
      secrets: folder.secrets.document.value,
      secret: await secret(),
    };
    return { values, notices };
  } finally {
    await life.close();
  }
}

/** The fact that a file's damage may make unreadable, and the facts that may be older ones if that is reported. */
type Damage = { readonly refuses?: string; readonly falls?: readonly string[] };
const damages: Readonly<Record<string, Damage>> = {
  'settings.json': { falls: ['settings'] },
  'keys.json': { falls: ['keys'] },
  'workflows.json': { falls: ['decisions'] },
  'retention.json': { falls: ['retention'] },
  'browsers.json': { falls: ['browsers'] },
  'secrets.json': { falls: ['secrets', 'secret'] },
  'secrets.key': { refuses: 'secret' },
};

type Through = (disk: FileSystem) => FileSystem;

/** Faults in words: wrong facts, needless refusals, an unused older version, and damage reported of another file. */
async function findingsIn(
  file: StoredFile,
  bytes: Uint8Array,
  through: Through = (disk) => disk,
): Promise<readonly string[]> {
  const disk = await diskWith(store, file.path, bytes);
  const crash = (error: unknown): Found => ({ values: { crash: String(error) }, notices: [] });
  const { values, notices } = await documentsOn(through(disk)).catch(crash);
  const name = nameOf(file);
  const hasOlder = (await disk.stat(previousOf(file.path))) !== undefined;
  if (hasOlder && values['crash'] === undefined && values['settings'] === undefined)
    return [`${name}: the version before it is not used`];
  const { refuses, falls = [] } = damages[name] ?? {};
  const isReported = notices.some((words) => words.includes(name));
  const isExcused = (key: string, value: unknown): boolean =>
    value === refused ? refuses === key : falls.includes(key) && isReported;
  return [
    ...notices
      .filter((words) => !words.includes(name))
      .map((words) => `${name}: it is reported that ${words}`),
    ...Object.keys({ ...healthy.values, ...values })
      .filter((key) => !isDeepStrictEqual(values[key], healthy.values[key]) && !isExcused(key, values[key]))
      .map((key) => `${name}: ${key} is ${String(JSON.stringify(values[key]) ?? 'not there')}`),
  ];
}

const nameOf = ({ path }: StoredFile): string => path.slice(dataPath.length + 1);

/** The bytes of a file with one bit flipped. */
function flipped({ bytes }: StoredFile, at: number, bit = 0): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
}

async function documentNamed(name: string): Promise<StoredFile> {
  const found = (await filesOf(store, dataPath)).find(({ path }) => path === join(dataPath, name));
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

it('no damaged byte of a document is given as right', { timeout: timeoutMs(180_000) }, async () => {
  expect(healthy.notices).toEqual([]);
  expect(Object.values(healthy.values)).not.toContain(refused);
  const files = await Promise.all(Object.keys(damages).map(documentNamed));
  const found: string[] = [];
  let [flips, cuts] = [0, 0];
  for (const file of files) {
    for (let at = 0; at < file.bytes.length; at += 1) {
      for (const bit of isLong ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]) {
        flips += 1;
        found.push(...(await findingsIn(file, flipped(file, at, bit))));
      }
      cuts += 1;
      found.push(...(await findingsIn(file, file.bytes.subarray(0, at))));
    }
  }
  expect([...new Set(found)].slice(0, 20)).toEqual([]);
  expect(flips).toBeGreaterThan(1000);
  report(
    `corruption: ${flips} flipped bytes and ${cuts} cuts in ${files.length} documents, none given as right`,
  );
});

it('the rig finds damage where there is no checksum, and an older version that is not used', async () => {
  const keys = await documentNamed('keys.json');
  const unsealed = { ...keys, bytes: Buffer.from(openSeal(keys.bytes.toString()).text) };
  const inName = unsealed.bytes.indexOf('"first"') + 1;
  expect(await findingsIn(unsealed, flipped(unsealed, inName))).not.toEqual([]);
  expect(await findingsIn(keys, flipped(keys, inName))).toEqual([]);

  const torn = keys.bytes.subarray(0, 20);
  expect(await findingsIn(keys, torn)).toEqual([]);
  expect((await findingsIn(keys, torn, withoutPrevious)).join()).toContain(
    'the version before it is not used',
  );
});
