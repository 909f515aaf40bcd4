// Collects the failures from the reports of the test tools. They are listed again at the end of the output, so that the
// reader need not scroll.

/** Maximum lines per message, so that the list fits on the last screen. */
const maxLines = 12;
/** The text in vitest's report that stands for the reason when a test timed out. */
const noWords = /^Error: STACK_TRACE_ERROR$/m;
const colours = /\u001B\[[\d;]*m/g;

/** `[{ where, why }]`: each failed test of vitest's JSON report, and each file of it that did not load. */
export function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const ofFile = status === 'failed' && (failed.length === 0 || message.trim() !== '');
    const ofTests = failed.map(({ fullName, failureMessages }) => ({
      where: `${name} › ${fullName}`,
      why: beginning(failureMessages.join('\n')),
    }));
    return ofFile ? [{ where: name, why: beginning(message) }, ...ofTests] : ofTests;
  });
}

/** `[{ where, why }]`: each failed test of Playwright's JSON report, and what failed outside of tests. */
export function failuresOfPlaywright({ suites, errors = [] }) {
  return [
    ...suites.flatMap((suite) => failuresOfSuite(suite)),
    ...errors.map(({ message }) => ({ where: 'outside of tests', why: beginning(message) })),
  ];
}

/** @param within titles of the suites that it is in; a file's own title is found by the position of its tests */
function failuresOfSuite({ suites = [], specs = [], title, file }, within = []) {
  const titles = title === file ? within : [...within, title];
  const failed = specs.filter(({ ok }) => !ok);
  return [
    ...suites.flatMap((suite) => failuresOfSuite(suite, titles)),
    ...failed.map(({ file: spec, line, title: name, tests }) => ({
      where: `${spec}:${line} › ${[...titles, name].join(' › ')}`,
      why: beginning(
        tests
          .flatMap(({ results }) => results)
          .flatMap(messagesOf)
          .join('\n'),
      ),
    })),
  ];
}

function messagesOf({ errors = [] }) {
  return errors.map(({ message }) => message ?? '');
}

function beginning(message = '') {
  const lines = message.replace(colours, '').replace(noWords, 'It took too long.').trim().split('\n');
  return lines.slice(0, maxLines).join('\n') || 'see above';
}
