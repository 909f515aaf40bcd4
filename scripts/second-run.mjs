// Failed tests run once more, alone, after all others: a machine that stood still for a moment must not hide whether the
// product is right. A test that then passes is unsteady, which is a bug of its own, and is listed as such.
import { hasFailed } from './test-results.mjs';

/** Maximum test files that run a second time. A stall fails few tests; failures in more files have another cause. */
const maxFiles = 5;

/** Failed results that run a second time: none if another part failed, or if there are too many. */
export function resultsToRunAgain(results) {
  const failed = results.filter(hasFailed);
  const files = new Set(failed.map(({ file }) => file));
  return files.has(undefined) || files.size > maxFiles ? [] : failed;
}

/**
 * Results of all runs. A failure of the second run counts, a failure that the second run passed becomes `isUnsteady`, and
 * a failure that the second run did not repeat stays.
 */
export function resultsAfterSecondRun(first, second) {
  const places = new Set(first.map(({ where }) => where));
  return [
    ...first.map((result) => resultAfter(second, result)),
    ...second.filter(({ where }) => !places.has(where)),
  ];
}

function resultAfter(second, result) {
  const { where, file, isTest } = result;
  // A file that failed beside its tests passes if they do, and at least one of them ran.
  const again = second.filter((other) => (isTest ? other.where === where : other.file === file));
  const failure = again.find(hasFailed);
  if (failure !== undefined)
    return hasFailed(result) ? result : { ...result, status: 'failed', why: failure.why };
  if (!again.some(({ status }) => status === 'passed')) return result;
  return { ...result, status: 'passed', isUnsteady: hasFailed(result) };
}
