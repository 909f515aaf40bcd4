// A PostgreSQL for the tests of teams: the system's where there is one, else on Debian its package. Without one these tests
// are skipped, with the reason.
import { existsSync, readdirSync } from 'node:fs';
import { start } from './process.mjs';

const versions = '/usr/lib/postgresql';

const isInstalled = () =>
  existsSync(versions) && readdirSync(versions).some((name) => existsSync(`${versions}/${name}/bin/initdb`));

export async function providePostgres() {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (process.platform !== 'linux' || isInstalled() || !canInstall) return;
  console.log('Installing PostgreSQL for the tests of teams…');
  const apt = { command: 'apt-get', first: ['-qq'] };
  await start(apt, ['update'], 'pipe');
  await start(apt, ['install', '-y', '--no-install-recommends', 'postgresql'], 'pipe');
}
