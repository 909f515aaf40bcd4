import { appendFile, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { CassetteFile } from '../../../src-main/storage/cassettes/cassette-file.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { longestTurn } from '../../builders/longest-turn.ts';
import { recordedCall } from '../../builders/recorded-call.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { openFolder } from '../../builders/open-data-folder.ts';

async function newCassette() {
  const folder = await temporaryFolder();
  const path = join(folder, 'x.cassette.json');
  const reopened = (): CassetteFile => CassetteFile.at(path, { clock: systemClock, log: silentLog });
  return { folder, path, file: reopened(), reopened };
}

const requestOf = (name: string) => ({ method: 'GET', url: `https://api.example.com/${name}` });
const callOf = (name: string, rest: Parameters<typeof recordedCall>[0] = {}) =>
  recordedCall({ request: requestOf(name), ...rest });

/** `name: answer` of each entry. */
async function entriesOf(file: CassetteFile): Promise<string[]> {
  const cassette = await file.read();
  return (cassette?.entries ?? []).map(({ request, responses }) => {
    const answers = responses.map((response) => JSON.stringify('json' in response ? response.json : null));
    return `${request.url.split('/').at(-1)}: ${answers.join(' ')}`;
  });
}

describe('a cassette that is recorded', () => {
  it('does not exist before, and is in its file afterwards, without anything beside it', async () => {
    const { file, folder, path } = await newCassette();
    expect(await file.read()).toBeUndefined();
    const recorder = await file.record('run-1');
    await recorder.add(callOf('b'));
    await recorder.add(callOf('a'));
    await recorder.close();
    expect(await entriesOf(file)).toEqual(['a: {"answer":"yes"}', 'b: {"answer":"yes"}']);
    expect(await readdir(folder)).toEqual(['x.cassette.json']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('takes calls of many rows and runs at once', async () => {
    const { file, reopened } = await newCassette();
    const runIds = ['run-1', 'run-2', 'run-3'];
    const recorders = await Promise.all(runIds.map((runId) => file.record(runId)));
    const names = Array.from({ length: 20 }, (_, n) => `n${String(n).padStart(2, '0')}`);
    const adds = recorders.map((recorder, run) =>
      Promise.all(names.map((name) => recorder.add(callOf(`${run}${name}`, { runId: runIds[run] ?? '' })))),
    );
    await Promise.all(adds);
    expect(await entriesOf(reopened())).toHaveLength(60);
    await Promise.all(recorders.map((recorder) => recorder.close()));
    expect(await entriesOf(file)).toHaveLength(60);
  });

  it('replaces what was recorded of equal requests before', async () => {
    const { file } = await newCassette();
    for (const [runId, answer] of [
      ['run-2', 'old'],
      ['run-1', 'new'],
    ] as const) {
      const recorder = await file.record(runId);
      await recorder.add(callOf('a', { runId, answer }));
      await recorder.close();
    }
    expect(await entriesOf(file)).toEqual(['a: {"answer":"new"}']);
  });

  it('is closed once, however often that is asked', async () => {
    const { file } = await newCassette();
    const [one, two] = [await file.record('run-1'), await file.record('run-2')];
    await Promise.all([one.close(), one.close()]);
    await two.add(callOf('a', { runId: 'run-2' }));
    await two.close();
    expect(await entriesOf(file)).toEqual(['a: {"answer":"yes"}']);
  });
});

describe('a cassette whose process ended while it was recorded', () => {
  async function crashed() {
    const [before, after] = [await newCassette(), await newCassette()];
    const recorder = await before.file.record('run-1');
    await recorder.add(callOf('a', { row: 1, answer: 'first' }));
    await recorder.add(callOf('b', { row: 2 }));
    await cp(before.folder, after.folder, { recursive: true });
    await recorder.close();
    return after;
  }

  it('has what was recorded', async () => {
    const { reopened } = await crashed();
    expect(await entriesOf(reopened())).toEqual(['a: {"answer":"first"}', 'b: {"answer":"yes"}']);
  });

  it('has it without the line that could not be finished', async () => {
    const { reopened, path } = await crashed();
    await appendFile(`${path}.recording`, '{"runId":"run-1","row":3,');
    expect(await entriesOf(reopened())).toHaveLength(2);
    const file = reopened();
    const recorder = await file.record('run-1');
    await recorder.add(callOf('c', { row: 3 }));
    expect(await entriesOf(reopened())).toHaveLength(3);
    await recorder.close();
    expect(await entriesOf(reopened())).toHaveLength(3);
  });

  it('lets the same run go on: the first row still rules', async () => {
    const { reopened } = await crashed();
    const file = reopened();
    const recorder = await file.record('run-1');
    await recorder.add(callOf('a', { row: 3, answer: 'third' }));
    await recorder.close();
    expect(await entriesOf(file)).toEqual(['a: {"answer":"first"}', 'b: {"answer":"yes"}']);
  });

  it('gives way to another run', async () => {
    const { reopened } = await crashed();
    const file = reopened();
    const recorder = await file.record('run-0');
    await recorder.add(callOf('b', { runId: 'run-0', row: 5, answer: 'new' }));
    await recorder.close();
    expect(await entriesOf(file)).toEqual(['a: {"answer":"first"}', 'b: {"answer":"new"}']);
  });

  it('keeps a line that is damaged, aside, and what was before it', async () => {
    const { reopened, path, folder } = await crashed();
    const journal = `${path}.recording`;
    const [first = ''] = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, `${first}\nnonsense\n${first}\n`);
    const recorder = await reopened().record('run-1');
    await recorder.close();
    expect(await entriesOf(reopened())).toEqual(['a: {"answer":"first"}']);
    const aside = (await readdir(folder)).find((name) => name.includes('.recording.corrupt-'));
    expect(await readFile(join(folder, aside ?? ''), 'utf8')).toContain('nonsense');
  });
});

describe('a file that is no cassette', () => {
  it.each([
    [
      '{"rowbench": 1, "entries": 1}',
      'The cassette x.cassette.json cannot be read: entries: Expected a list',
    ],
    ['{', 'The cassette x.cassette.json cannot be read: line 1, column 2: expected'],
  ])('is neither read nor written over: %s', async (text, message) => {
    const { file, path } = await newCassette();
    await writeFile(path, text);
    await expect(file.read()).rejects.toThrow(message);
    await expect(file.record('run-1')).rejects.toThrow(message);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is not read when it is larger than what is held in memory', async () => {
    const { file, path } = await newCassette();
    await writeFile(path, Buffer.alloc(50_000_001, ' '));
    await expect(file.read()).rejects.toThrow('it is larger than 50 MB');
  });
});

// The check of 50 MB kept the server silent for more than a second.
it('a large cassette is checked in pieces, so that the server stays responsive', async () => {
  const { file, path } = await newCassette();
  const entries = Array.from({ length: 40_000 }, (_, at) => ({
    request: requestOf(`n${at}`),
    responses: [{ status: 200, headers: { 'content-type': 'application/json' }, json: { at } }],
  }));
  await writeFile(path, JSON.stringify({ rowbench: 1, entries }));
  const { result, longestPart } = await longestTurn(() => file.read());
  expect(result?.entries).toHaveLength(40_000);
  expect(longestPart).toBeLessThan(0.5);
});

it('a cassette names the first entry that is none', async () => {
  const { file, path } = await newCassette();
  const good = { request: requestOf('a'), responses: [{ status: 200 }] };
  const bad = { ...good, responses: [{ status: 200 }, { status: 999 }] };
  await writeFile(path, JSON.stringify({ rowbench: 1, entries: [good, bad, 7] }));
  await expect(file.read()).rejects.toThrow('entries[1].responses[1].status: ');
  await writeFile(path, JSON.stringify({ rowbench: 1, other: 1, entries: [7] }));
  await expect(file.read()).rejects.toThrow('"other"');
});

describe('a cassette of the data folder', () => {
  it('is named by its workflow', async () => {
    const path = await temporaryFolder();
    const { cassettes } = await openFolder(path);
    const recorder = await cassettes.cassetteOf('leads').record('run-1');
    await recorder.add(callOf('a'));
    await recorder.close();
    expect(await readdir(join(path, 'cassettes'))).toEqual(['leads.json']);
    expect(() => cassettes.cassetteOf('../keys')).toThrow('named by the id');
  });
});

describe('a cassette on a disk that fails', () => {
  it.each(['ENOSPC', 'EIO'] as const)(
    'has all that was acknowledged, whichever call fails with %s',
    async (fault) => {
      for (let at = 1; at <= maxCalls; at += 1) {
        const path = await temporaryFolder();
        const files = new FaultyFileSystem({
          ...{ fault, at, times: 1 },
          counts: (_, of) => of.includes('leads.json'),
        });
        const { cassettes } = await openFolder(path, files);
        const recorded: string[] = [];
        const record = async (): Promise<void> => {
          const recorder = await cassettes.cassetteOf('leads').record('run-1');
          try {
            for (const name of ['a', 'b']) {
              await recorder.add(callOf(name));
              recorded.push(`${name}: {"answer":"yes"}`);
            }
          } finally {
            await recorder.close();
          }
        };
        await record().catch((error: unknown) =>
          expect(error).toMatchObject({ code: expect.any(String) as string }),
        );
        const reopened = CassetteFile.at(join(path, 'cassettes/leads.json'), parts);
        expect(await entriesOf(reopened)).toEqual(expect.arrayContaining(recorded));
        if (files.calls.length < at) return expect(at).toBeGreaterThan(10);
      }
      throw new Error('some call should have been the last');
    },
  );
});

const parts = { clock: systemClock, log: silentLog };
const maxCalls = 60;
