// A server whose thread waited for a DNS lookup or a disk could not stop before that wait ended, whatever signals came.
import { expect, it } from 'vitest';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

it.skipIf(process.platform === 'win32')(
  'a server stops within seconds, whatever its threads wait for, and says so',
  async () => {
    const server = await startServerProcess({
      dataDir: await temporaryFolder(),
      fault: 'blocked-thread.mjs',
    });
    const began = performance.now();
    await server.stop();
    // Threads have five of them; a stop has ten.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(server.stderr()).toContain('a thread still waits for a file or a name');
  },
);
