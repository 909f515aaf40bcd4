// A reporter of vitest: writes what was thrown outside of all tests, which vitest's JSON report leaves out.
import { writeFileSync } from 'node:fs';

export default class ErrorsBesideTests {
  onTestRunEnd(_files, errors) {
    const messages = errors.map(({ stack, message }) => stack ?? message);
    writeFileSync(process.env.ROWBENCH_ERRORS_BESIDE_TESTS, JSON.stringify(messages));
  }
}
