// npm test: installs, checks types, lint, layers and dead code, builds, and runs the unit and API tests and the main
// stories of the pages. npm run test:all: then everything else. The last line counts the tests; a part that fails without
// a failing test of its own (the install, a check, the build, a test file that does not load) counts as one failure.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhatChanged } from './build.mjs';
import { provideBrowser } from './browser.mjs';
import { providePostgres } from './postgres.mjs';
import { allChecks, check, mainChecks } from './check.mjs';
import { findElectron } from './electron.mjs';
import { failuresOfPlaywright, failuresOfVitest } from './failures.mjs';
import { installWhatIsMissing } from './install.mjs';
import { seconds, start, tool } from './process.mjs';

const reports = mkdtempSync(join(tmpdir(), 'rowbench-reports-'));
const total = { passed: 0, failed: 0, skipped: 0 };
/** Named again at the end: `{ where, why }` each. */
const failed = [];

/** Gives whether the part went well; one that throws did not. */
async function section(title, part) {
  const startedAt = performance.now();
  console.log(`\n== ${title} ==`);
  const failures = await part().catch((error) => {
    console.error(error.message);
    failed.push({ where: title, why: error.message });
    return 1;
  });
  total.failed += failures;
  console.log(`== ${title}: ${failures === 0 ? 'ok' : 'FAILED'} in ${seconds(startedAt)}`);
  return failures === 0;
}

/** Runs one of vitest's projects, or all that a pattern names, adds their counts, and gives the number of failures. */
async function tests(project, ...more) {
  const report = join(reports, `${project.replace('*', '')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await start(
    tool('vitest/vitest.mjs'),
    ['run', `--project=${project}`, ...more, ...reporters],
    'inherit',
  );
  const counts = resultsIn(report, project, code);
  total.passed += counts.numPassedTests;
  total.skipped += counts.numPendingTests + (counts.numTodoTests ?? 0);
  if (counts.numTotalTests === 0) throw new Error(`no ${project} tests were found`);
  return noteFailures(failuresOfVitest(counts), project, code);
}

/** Runs those of Playwright's tests, adds their counts, and gives the number of failures. */
async function pageTests(kind, ...which) {
  const report = join(reports, `${kind}.json`);
  process.env.ROWBENCH_UI_REPORT = report;
  const { code } = await start(tool('@playwright/test/cli.js'), ['test', ...which], 'inherit');
  const results = resultsIn(report, kind, code);
  const { expected, unexpected, flaky, skipped } = results.stats;
  if (expected + unexpected + flaky === 0) throw new Error(`no ${kind} tests were found`);
  total.passed += expected + flaky;
  total.skipped += skipped;
  return noteFailures(failuresOfPlaywright(results), kind, code);
}

function resultsIn(report, tests, code) {
  if (!existsSync(report)) throw new Error(`the ${tests} tests ended with ${code} and no report`);
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** How many there were. A part may fail without a test that did: by an error outside of all of them. */
function noteFailures(failures, where, code) {
  const found =
    failures.length === 0 && code !== 0 ? [{ where, why: `it ended with ${code}; see above` }] : failures;
  failed.push(...found);
  return found.length;
}

/** The main stories say that each screen does its job. */
async function mainStories() {
  await provideBrowser();
  return pageTests('main stories', '--project=main');
}

async function otherPageTests() {
  const failures = await pageTests('pages', '--project=pages');
  return failures + (await pageTests('measured pages', '--project=measured'));
}

async function checks(parts, options) {
  const failing = await check(parts, options);
  failed.push(...failing.map((part) => ({ where: part, why: 'see above' })));
  return failing.length;
}

/** Where Electron's binary is; a clean clone has none until the first `npm start` on a machine with a screen. */
async function desktopTests() {
  if (findElectron() !== undefined) return pageTests('desktop', '--config=playwright.desktop.config.mjs');
  console.log(
    "skipped: Electron's binary is not installed (node node_modules/electron/install.js fetches it)",
  );
  return 0;
}

/** More files than cores at once: half of their time they wait for processes, timers and the disk. */
const workers = `--maxWorkers=${availableParallelism() + 1}`;

/** Gives whether there is a build to test. With `isAll` it also checks the format. */
async function mainParts(isAll) {
  // Beside the first tests, which wait more than they compute; those of pages have the machine to themselves.
  const parts = isAll ? allChecks : mainChecks;
  const checking = section('checks', () => checks(parts, { atOnce: 2, niceness: 5 }));
  const isBuilt = await section('build', () => buildWhatChanged().then(() => 0));
  await section('unit tests', () => tests('unit'));
  if (isBuilt) await section('api tests', () => providePostgres().then(() => tests('api', workers)));
  await checking;
  if (isBuilt) await section('main stories', mainStories);
  return isBuilt;
}

async function otherParts() {
  await section('pages', otherPageTests);
  await section('desktop tests', desktopTests);
  await section('proof', () => tests('proof*', workers));
}

if (await section('install', () => installWhatIsMissing().then(() => 0))) {
  const isAll = process.argv.includes('--all');
  const isBuilt = await mainParts(isAll);
  if (isBuilt && isAll) await otherParts();
}
rmSync(reports, { recursive: true, force: true });
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
for (const { where, why } of failed) console.log(`\nFAILED ${where}\n${why.replace(/^/gm, '    ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
