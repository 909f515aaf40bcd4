// A server whose thread waited for a name or a disk took as long as that to stop, whatever signals came.
import { expect, it } from 'vitest';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

it.skipIf(process.platform === 'win32')(
  'a server stops within seconds, whatever its threads wait for',
  async () => {
    const server = await startServerProcess({
      dataDir: await temporaryFolder(),
      fault: 'blocked-thread.mjs',
    });
    const began = performance.now();
    await server.stop();
    // Five of patience; machines that test are shared.
    expect(performance.now() - began).toBeLessThan(15_000);
  },
);
