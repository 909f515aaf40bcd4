// Draws the guide's pictures anew from the built app: docs/screenshots, each screen in both themes.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npx', ['playwright', 'test'], {
  env: { ...process.env, ROWBENCH_PICTURES: '1' },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
