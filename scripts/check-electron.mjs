// Stops a release whose Electron gets no security fixes any more: its newest three majors do.
//   node scripts/check-electron.mjs NEWEST_VERSION
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';

const supportedMajors = 3;
const newest = Number.parseInt(process.argv[2] ?? '', 10);
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const ours = Number.parseInt(devDependencies.electron, 10);

if (!(newest - ours < supportedMajors)) {
  console.error(
    `Electron ${devDependencies.electron} is not supported beside ${process.argv[2] ?? 'an unknown one'}.`,
  );
  process.exit(1);
}
