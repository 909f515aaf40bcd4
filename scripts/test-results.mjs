// Reads the reports of the test tools. A result is one test, or a failure beside tests:
//   { where, status: 'passed' | 'failed' | 'skipped', isTest, why?, file?, line? }
// `why` is the reason of a failure. `file` is where the failure can be repeated; a failure outside of all files has none.

/** Maximum lines per message, so that the list fits on the last screen. */
const maxLines = 12;
/** The text in vitest's report that stands for the reason when a test timed out. */
const noWords = /^Error: STACK_TRACE_ERROR$/m;
const colours = /\u001B\[[\d;]*m/g;

/** Results of vitest's JSON report: its tests, and each file that did not load or end well. */
export function resultsOfVitest({ testResults }) {
  return testResults.flatMap(({ name: file, status, message, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      where: `${file} › ${test.fullName}`,
      file,
      isTest: true,
      status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      why: beginning(test.failureMessages.join('\n')),
    }));
    const isOfTests = tests.some((test) => test.status === 'failed') && message.trim() === '';
    if (status !== 'failed' || isOfTests) return tests;
    return [{ where: file, file, isTest: false, status: 'failed', why: beginning(message) }, ...tests];
  });
}

/** Results of Playwright's JSON report: its tests, and what failed outside of them. */
export function resultsOfPlaywright({ suites, errors = [] }) {
  return [
    ...suites.flatMap((suite) => resultsOfSuite(suite)),
    ...errors.map(({ message }) => failureBesideTests('outside of tests', message)),
  ];
}

/** A failure that no file of tests stands for: of a check, of the build, of a tool. */
export function failureBesideTests(where, message) {
  return { where, isTest: false, status: 'failed', why: beginning(message) };
}

export function hasFailed({ status }) {
  return status === 'failed';
}

/** The last lines of a run, which name what failed and count the tests, and whether the run went well. */
export function summaryOf(results) {
  const failed = results.filter(hasFailed);
  const unsteady = results.filter(({ isUnsteady }) => isUnsteady);
  const count = (status) => results.filter((result) => result.isTest && result.status === status).length;
  const counts = [`${count('passed')} passed`, `${failed.length} failed`];
  if (count('skipped') > 0) counts.push(`${count('skipped')} skipped`);
  if (unsteady.length > 0) counts.push(`${unsteady.length} unsteady`);
  const parts = [
    ...failed.map(({ where, why }) => [`FAILED ${where}`, why]),
    ...unsteady.map(({ where, why }) => [
      `UNSTEADY ${where}`,
      `Passed in a second run. Failed at first:\n${why}`,
    ]),
  ].map(([title, why]) => `\n${title}\n${why.replace(/^/gm, '    ')}\n`);
  return {
    isOk: failed.length === 0 && count('passed') > 0,
    text: `${parts.join('')}\n${counts.join(', ')}`,
  };
}

/** @param within titles of the suites that it is in; a file's own title is found by the position of its tests */
function resultsOfSuite({ suites = [], specs = [], title, file }, within = []) {
  const titles = title === file ? within : [...within, title];
  return [
    ...suites.flatMap((suite) => resultsOfSuite(suite, titles)),
    ...specs.map(({ file: spec, line, title: name, ok, tests }) => ({
      where: `${spec}:${line} › ${[...titles, name].join(' › ')}`,
      file: spec,
      line,
      isTest: true,
      status: statusOf(ok, tests),
      why: beginning(
        tests
          .flatMap(({ results }) => results)
          .flatMap(messagesOf)
          .join('\n'),
      ),
    })),
  ];
}

function statusOf(isOk, tests) {
  if (!isOk) return 'failed';
  return tests.every(({ status }) => status === 'skipped') ? 'skipped' : 'passed';
}

function messagesOf({ errors = [] }) {
  return errors.map(({ message }) => message ?? '');
}

function beginning(message = '') {
  const lines = message.replace(colours, '').replace(noWords, 'It took too long.').trim().split('\n');
  return lines.slice(0, maxLines).join('\n') || 'see above';
}
