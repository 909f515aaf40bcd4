import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCliProcess } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function startServer() {
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'data');
  const server = await startServerProcess({ dataDir });
  onTestFinished(() => server.kill());
  return { folder, dataDir, url: server.url };
}

const linkOf = (url: string): RegExp => new RegExp(`^${url}/#code=[A-Za-z0-9_-]{43}\n$`);

describe('rowbench open', () => {
  it('prints a link that opens one session', async () => {
    const { dataDir, url } = await startServer();
    const { code, stdout, stderr } = await runCliProcess(['open', '--no-browser', '--data', dataDir]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(linkOf(url));
    const exchange = async () => {
      const response = await fetch(`${url}/_rowbench/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: stdout.trim().split('#code=')[1] }),
      });
      return response.status;
    };
    expect([await exchange(), await exchange()]).toEqual([200, 401]);
  });

  it('says so where no server serves the folder', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    await mkdir(dataDir);
    const { code, stdout, stderr } = await runCliProcess(['open', '--no-browser', '--data', dataDir]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /No Rowbench serves the data folder .*\. Start one with: node .*cli\.js serve --open --data ".*data"\n$/,
    );
  });

  it.runIf(process.platform === 'linux')('gives the link to the system’s browser', async () => {
    const { folder, dataDir, url } = await startServer();
    const opened = join(folder, 'opened');
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > "${opened}"\n`);
    await chmod(join(bin, 'xdg-open'), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const { code, stdout } = await runCliProcess(['open', '--data', dataDir], { env });
    expect(code).toBe(0);
    await expect.poll(() => readFile(opened, 'utf8').catch(() => ''), { timeout: 5_000 }).toBe(stdout);
    expect(stdout).toMatch(linkOf(url));
  });

  it.runIf(process.platform === 'linux')('asks to paste the link where there is no browser', async () => {
    const { folder, dataDir } = await startServer();
    const { code, stderr } = await runCliProcess(['open', '--data', dataDir], { env: { PATH: folder } });
    expect([code, stderr]).toEqual([0, 'No browser could be opened here: paste the link into one.\n']);
  });
});
