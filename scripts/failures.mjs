// What failed, out of the reports of the test tools: named once more at the end, where nobody has to scroll for it.

/** Of a message so much that the last screen holds it. */
const mostLines = 12;
const colours = /\u001B\[[\d;]*m/g;

/** `[{ where, why }]`: each failed test of vitest's JSON report, and each file of it that did not load. */
export function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ where: name, why: beginning(message) }];
    return failed.map(({ fullName, failureMessages }) => ({
      where: `${name} › ${fullName}`,
      why: beginning(failureMessages.join('\n')),
    }));
  });
}

/** `[{ where, why }]`: each failed test of Playwright's JSON report, and what failed outside of tests. */
export function failuresOfPlaywright({ suites, errors = [] }) {
  return [
    ...suites.flatMap(failuresOfSuite),
    ...errors.map(({ message }) => ({ where: 'outside of tests', why: beginning(message) })),
  ];
}

function failuresOfSuite({ suites = [], specs = [] }) {
  const failed = specs.filter(({ ok }) => !ok);
  return [
    ...suites.flatMap(failuresOfSuite),
    ...failed.map(({ file, line, title, tests }) => ({
      where: `${file}:${line} › ${title}`,
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
  const lines = message.replace(colours, '').trim().split('\n');
  return lines.slice(0, mostLines).join('\n');
}
