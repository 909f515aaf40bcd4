// What failed, out of the reports of the test tools: named once more at the end, where nobody has to scroll for it.

/** Of a message so much that the last screen holds it. */
const maxLines = 12;
/** What vitest's report says of a test that ran out of time, in place of the reason. */
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

/** @param within titles of the suites that it is in; that of a file is told by its tests' place */
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
