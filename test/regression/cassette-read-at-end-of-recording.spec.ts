// A run that began to replay in the moment in which a recording of the same cassette ended found neither the file nor
// the journal, and its rows failed for want of recorded answers.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deferred } from '../../src-main/base/deferred.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { CassetteFile } from '../../src-main/storage/cassettes/cassette-file.ts';
import { DurableFiles } from '../../src-main/storage/durable/durable-files.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../src-main/files/node-file-system.ts';
import { StoreHealth } from '../../src-main/storage/runs/store-health.ts';
import { recordedCall } from '../builders/recorded-call.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

it('recorded calls are found while the recording ends', async () => {
  const path = join(await temporaryFolder(), 'x.cassette.json');
  const looked = deferred();
  const mayGoOn = deferred();
  let isSlow = false;
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    stat: async (of) => {
      const found = await nodeFileSystem.stat(of);
      if (isSlow && of === path) {
        isSlow = false;
        looked.resolve();
        await mayGoOn.promise;
      }
      return found;
    },
  };
  const file = new CassetteFile(
    {
      fileSystem,
      files: new DurableFiles(fileSystem, systemClock),
      health: new StoreHealth(silentLog),
      clock: systemClock,
      log: silentLog,
      report: () => undefined,
    },
    { path, label: 'x' },
  );
  const recorder = await file.record('run-1');
  await recorder.add(recordedCall({}));
  isSlow = true;
  const reading = file.read();
  await looked.promise;
  const closing = recorder.close();
  mayGoOn.resolve();
  expect((await reading)?.entries).toHaveLength(1);
  await closing;
  expect((await file.read())?.entries).toHaveLength(1);
});
