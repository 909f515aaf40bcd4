// npm run proof:long: the rigs of test/proof in their long form, as before a release.
import { npm, start } from './process.mjs';

process.env.ROWBENCH_PROOF = 'long';
const { code } = await start(npm, ['run', 'proof'], 'inherit');
process.exitCode = code;
