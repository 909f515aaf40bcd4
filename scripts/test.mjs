// npm test: installs, checks types, lint, layers and dead code, builds, and runs the unit tests, all but the long API tests,
// and the main stories of the pages. npm run test:all: then everything else. The last line counts the tests; a part that
// fails without a failing test of its own (the install, a check, the build, a test file that does not load) counts as one
// failure. Failed tests of a few files run again at the end, alone (second-run.mjs).
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhatChanged } from './build.mjs';
import { provideBrowser } from './browser.mjs';
import { providePostgres } from './postgres.mjs';
import { allChecks, check, mainChecks } from './check.mjs';
import { findElectron } from './electron.mjs';
import { installWhatIsMissing } from './install.mjs';
import { longApiSpecs } from './long-specs.mjs';
import { busyShare, processorTimes, seconds, start, tool } from './process.mjs';
import { resultsAfterSecondRun, resultsToRunAgain } from './second-run.mjs';
import {
  failureBesideTests,
  hasFailed,
  resultsOfPlaywright,
  resultsOfVitest,
  summaryOf,
} from './test-results.mjs';

const reports = mkdtempSync(join(tmpdir(), 'rowbench-reports-'));
/** Of all parts; a result of a test tool has `again`, which runs the results of its run once more. */
const results = [];

/** Gives whether the part went well; one that throws did not. */
async function section(title, part) {
  const startedAt = performance.now();
  const before = processorTimes();
  console.log(`\n== ${title} ==`);
  const found = await part().catch((error) => {
    console.error(error.message);
    return [failureBesideTests(title, error.message)];
  });
  results.push(...found);
  const isOk = !found.some(hasFailed);
  const took = `${seconds(startedAt)}, processors ${busyShare(before)} busy`;
  console.log(`== ${title}: ${isOk ? 'ok' : 'FAILED'} in ${took}`);
  return isOk;
}

/** Results of one of vitest's projects, or of all that a pattern names. */
async function tests(project, ...more) {
  const report = join(reports, `${project.replace('*', '')}.json`);
  process.env.ROWBENCH_ERRORS_BESIDE_TESTS = `${report}.errors`;
  const { code } = await start(
    tool('vitest/vitest.mjs'),
    [
      ...['run', `--project=${project}`, ...more, '--reporter=default'],
      ...['--reporter=json', `--outputFile.json=${report}`, '--reporter=./scripts/errors-beside-tests.mjs'],
    ],
    'inherit',
  );
  const found = [
    ...resultsOfVitest(readReport(report, project, code)),
    ...readReport(`${report}.errors`, project, code).map((message) => failureBesideTests(project, message)),
  ];
  const again = (failed) => tests(project, '--maxWorkers=1', ...new Set(failed.map(({ file }) => file)));
  return checkedResults(found, { kind: project, code, again });
}

/** Results of those of Playwright's tests. */
async function pageTests(kind, ...which) {
  const report = join(reports, `${kind}.json`);
  process.env.ROWBENCH_UI_REPORT = report;
  const { code } = await start(tool('@playwright/test/cli.js'), ['test', ...which], 'inherit');
  const found = resultsOfPlaywright(readReport(report, kind, code));
  // A filter is a pattern for the end of a path.
  const again = (failed) =>
    pageTests(kind, ...which, '--workers=1', ...failed.map(({ file, line }) => `[\\\\/]${file}:${line}`));
  return checkedResults(found, { kind, code, again });
}

/** Removes the report, which stands for one run. */
function readReport(report, kind, code) {
  if (!existsSync(report)) throw new Error(`the ${kind} tests ended with ${code} and no report`);
  const read = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  return read;
}

/** A run may fail without a test that did. */
function checkedResults(found, { kind, code, again }) {
  if (!found.some(({ isTest, status }) => isTest && status !== 'skipped') && !found.some(hasFailed))
    throw new Error(`no ${kind} tests were found`);
  if (code !== 0 && !found.some(hasFailed))
    return [...found, failureBesideTests(kind, `it ended with ${code}; see above`)];
  return found.map((result) => ({ ...result, again }));
}

/** The main stories say that each screen does its job. */
async function mainStories() {
  await provideBrowser();
  return pageTests('main stories', '--project=main');
}

async function checks(parts, options) {
  const failing = await check(parts, options);
  return failing.map((part) => failureBesideTests(part));
}

/** Where Electron's binary is; a clean clone has none until the first `npm start` on a machine with a screen. */
async function desktopTests() {
  if (findElectron() !== undefined) return pageTests('desktop', '--config=playwright.desktop.config.mjs');
  console.log(
    "skipped: Electron's binary is not installed (node node_modules/electron/install.js fetches it)",
  );
  return [];
}

/** More files than cores at once: half of their time they wait for processes, timers and the disk. */
const workers = `--maxWorkers=${availableParallelism() + 1}`;

/** Gives whether there is a build to test. With `isAll` it also checks the format and runs the long API tests. */
async function mainParts(isAll) {
  // Beside the first tests, which wait more than they compute; those of pages have the machine to themselves.
  const parts = isAll ? allChecks : mainChecks;
  const checking = section('checks', () => checks(parts, { atOnce: 2, niceness: 5 }));
  const isBuilt = await section('build', () => buildWhatChanged().then(() => []));
  await section('unit tests', () => tests('unit'));
  const left = isAll ? [] : longApiSpecs.flatMap((file) => ['--exclude', file]);
  if (!isAll) console.log(`${longApiSpecs.length} long spec files are left to npm run test:all`);
  if (isBuilt) await section('api tests', () => providePostgres().then(() => tests('api', workers, ...left)));
  await checking;
  if (isBuilt) await section('main stories', mainStories);
  return isBuilt;
}

async function otherParts() {
  await section('pages', () => pageTests('pages', '--project=pages'));
  await section('measured pages', () => pageTests('measured pages', '--project=measured'));
  await section('desktop tests', desktopTests);
  await section('proof', () => tests('proof*', workers));
}

/** Results of what is worth a second run, alone. A run that does not come to an end has none. */
async function secondRun(failed) {
  const startedAt = performance.now();
  console.log('\n== second run of what failed ==');
  const found = [];
  for (const again of new Set(failed.map((result) => result.again))) {
    const ofRun = failed.filter((result) => result.again === again);
    found.push(...(await again(ofRun).catch((error) => [failureBesideTests('second run', error.message)])));
  }
  console.log(`== second run of what failed: ended in ${seconds(startedAt)}`);
  return found;
}

if (await section('install', () => installWhatIsMissing().then(() => []))) {
  const isAll = process.argv.includes('--all');
  const isBuilt = await mainParts(isAll);
  if (isBuilt && isAll) await otherParts();
}
const toRunAgain = resultsToRunAgain(results);
const all = toRunAgain.length > 0 ? resultsAfterSecondRun(results, await secondRun(toRunAgain)) : results;
rmSync(reports, { recursive: true, force: true });
const { isOk, text } = summaryOf(all);
process.exitCode = isOk ? 0 : 1;
console.log(text);
