// A Chromium for the ui tests: the system's where there is one, else one that is fetched.
import { existsSync } from 'node:fs';
import { npm, run, start } from './process.mjs';

// The shell first: without the windows of a whole browser, the same pages take about half the time.
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a browser that is installed already; undefined where Playwright's own is to be used. */
export const findBrowser = () =>
  [process.env.ROWBENCH_CHROMIUM ?? '', ...installed].find((path) => path !== '' && existsSync(path));

/** Throws when no browser can be had. As root on Debian the system's package comes first: it brings its libraries. */
export async function provideBrowser() {
  if (findBrowser() !== undefined) return;
  console.log('Installing a browser for the ui tests…');
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const apt = { command: 'apt-get', first: ['-qq'] };
    const update = await start(apt, ['update'], 'pipe');
    // Older releases have no package of the shell alone.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const { code } = await start(apt, ['install', '-y', '--no-install-recommends', name], 'pipe');
      if (update.code === 0 && code === 0 && findBrowser() !== undefined) return;
    }
  }
  await run(npm, ['exec', '--', 'playwright', 'install', 'chromium']);
}
