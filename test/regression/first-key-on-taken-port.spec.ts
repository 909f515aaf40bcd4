// A first start on a port that was taken created the first key, failed, and never showed the key. The next start
// assumed that its user had one.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startApp } from '../../src-main/app/start-app.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

it('the first start that gets its port shows the first key', async () => {
  const dataDir = join(await temporaryFolder(), 'data');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const options = { dataDir, workerScript, log: silentLog, sample: true };
  await expect(startApp({ ...options, port })).rejects.toMatchObject({ code: 'port_taken' });
  other.close();
  const app = await startApp({ ...options, port: 0 });
  onTestFinished(() => app.close());
  expect(app.firstKey).toMatch(/^rbk_/);
  expect(app.services.access.keys.list()).toHaveLength(1);
});
