// Recordings of a server: beside the workflow's file, or in the data folder where that folder is read-only.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../../src-main/files/node-file-system.ts';
import { CassetteFile } from '../../../src-main/storage/cassettes/cassette-file.ts';
import { openFolder } from '../../builders/open-data-folder.ts';
import { recordedCall } from '../../builders/recorded-call.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const requestOf = (name: string) => ({ method: 'GET', url: `https://api.example.com/${name}` });
const callOf = (name: string, answer = 'yes', runId = 'run-1') =>
  recordedCall({ request: requestOf(name), answer, runId });

async function folders(change: (disk: FileSystem) => Partial<FileSystem> = () => ({})) {
  const home = await temporaryFolder();
  const flows = join(home, 'flows');
  await mkdir(flows);
  const disk = { ...nodeFileSystem, ...change(nodeFileSystem) };
  const data = await openFolder(join(home, 'data'), disk);
  const open = (): Promise<CassetteFile> =>
    data.cassettes.openCassette('leads', join(flows, 'my-leads.workflow.yaml'));
  return { data, dataDir: join(home, 'data'), flows, open };
}

async function record(file: CassetteFile, ...calls: ReturnType<typeof callOf>[]): Promise<void> {
  const recorder = await file.record(calls[0]?.runId ?? 'run-1');
  for (const call of calls) await recorder.add(call);
  await recorder.close();
}

async function answersOf(file: CassetteFile): Promise<string[]> {
  return ((await file.read())?.entries ?? []).map(({ request, responses }) => {
    const [response] = responses;
    const { answer } = (response && 'json' in response ? response.json : {}) as { answer?: string };
    return `${request.url.split('/').at(-1)}: ${answer}`;
  });
}

describe('a recording of a workflow whose folder can be written', () => {
  it('is one file beside the workflow, which changes only at the end', async () => {
    const { open, flows, dataDir } = await folders();
    const file = await open();
    expect([file.label, await file.read()]).toEqual(['my-leads.cassette.json', undefined]);
    const recorder = await file.record('run-1');
    await recorder.add(callOf('a'));
    expect(await readdir(flows)).toEqual([]);
    expect(await answersOf(await open())).toEqual(['a: yes']);
    await recorder.close();
    expect(await readdir(flows)).toEqual(['my-leads.cassette.json']);
    expect(await readdir(join(dataDir, 'cassettes'))).toEqual([]);
  });

  it('keeps the answers of two runs at once', async () => {
    const { open } = await folders();
    const recorders = await Promise.all(
      ['run-1', 'run-2'].map(async (runId) => (await open()).record(runId)),
    );
    await recorders[0]?.add(callOf('a', 'one', 'run-1'));
    await recorders[1]?.add(callOf('b', 'two', 'run-2'));
    await recorders[0]?.close();
    await recorders[1]?.add(callOf('c', 'two', 'run-2'));
    await recorders[1]?.close();
    expect(await answersOf(await open())).toEqual(['a: one', 'b: two', 'c: two']);
  });

  it('keeps what another process writes into the file meanwhile', async () => {
    const { open, flows } = await folders();
    const recorder = await (await open()).record('run-1');
    await recorder.add(callOf('a'));
    const path = join(flows, 'my-leads.cassette.json');
    await record(CassetteFile.at(path, { clock: systemClock, log: silentLog }), callOf('b', 'theirs'));
    await recorder.close();
    expect(await answersOf(await open())).toEqual(['a: yes', 'b: theirs']);
  });

  it('goes on from a recording in the data folder, which stays', async () => {
    const { open, data, flows, dataDir } = await folders();
    await record(data.cassettes.cassetteOf('leads'), callOf('a', 'old'), callOf('b', 'old'));
    expect(await answersOf(await open())).toEqual(['a: old', 'b: old']);
    await record(await open(), callOf('a', 'new'));
    expect(await answersOf(await open())).toEqual(['a: new', 'b: old']);
    expect(await readFile(join(flows, 'my-leads.cassette.json'), 'utf8')).toContain('"old"');
    expect(await readFile(join(dataDir, 'cassettes/leads.json'), 'utf8')).not.toContain('"new"');
  });

  it('is kept in the data folder when the file cannot be written, and added to it the next time', async () => {
    let isFull = true;
    const { open, data, flows } = await folders((disk) => ({
      rename: (from, to) =>
        isFull && to.endsWith('.cassette.json')
          ? Promise.reject(Object.assign(new Error('EIO: the disk fails'), { code: 'EIO' }))
          : disk.rename(from, to),
    }));
    await record(await open(), callOf('a'));
    expect(await readdir(flows)).toEqual([]);
    expect(await answersOf(await open())).toEqual(['a: yes']);
    expect(data.health.degraded).toBe(false);
    expect(data.notices.join()).toContain('could not be written (EIO: the disk fails)');
    await expect(record(await open(), callOf('b', 'yes', 'run-2'))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('could not be written (EIO: the disk fails)') as string,
    });
    expect(await answersOf(await open())).toEqual(['a: yes']);
    isFull = false;
    await record(await open(), callOf('b', 'yes', 'run-2'));
    expect(await readdir(flows)).toEqual(['my-leads.cassette.json']);
    expect(await answersOf(await open())).toEqual(['a: yes', 'b: yes']);
  });
});

describe('a recording of a workflow whose folder is read-only', () => {
  it('is in the data folder, and goes before a file beside the workflow', async () => {
    const { open, flows, dataDir } = await folders(() => ({ isWritable: () => Promise.resolve(false) }));
    const sidecar = join(flows, 'my-leads.cassette.json');
    await record(
      CassetteFile.at(sidecar, { clock: systemClock, log: silentLog }),
      callOf('a', 'shipped'),
      callOf('b', 'shipped'),
    );
    const before = await readFile(sidecar, 'utf8');
    const file = await open();
    expect(file.label).toBe('cassettes/leads.json');
    await record(file, callOf('a', 'recorded'));
    expect(await answersOf(await open())).toEqual(['a: recorded', 'b: shipped']);
    expect(await readFile(sidecar, 'utf8')).toBe(before);
    expect(await readdir(join(dataDir, 'cassettes'))).toEqual(['leads.json']);
  });
});

it('a workflow without a file has its recording in the data folder', async () => {
  const { data } = await folders();
  expect((await data.cassettes.openCassette('leads', undefined)).label).toBe('cassettes/leads.json');
});

it('a cassette beside a workflow that cannot be read is never overwritten', async () => {
  const { open, flows } = await folders();
  const path = join(flows, 'my-leads.cassette.json');
  await writeFile(path, '{ my notes');
  await expect((await open()).record('run-1')).rejects.toThrow(
    'The cassette my-leads.cassette.json cannot be read',
  );
  expect(await readFile(path, 'utf8')).toBe('{ my notes');
});
