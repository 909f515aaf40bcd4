// Quick fixes: edits that remove an issue of a workflow file. Who calls: the editor, through the parser process.
// INVARIANT: a fix is offered only if the fixed text has all other issues that the text had, and no new one. The fix of
// an error may show warnings and notes, which are looked for only in a file without errors.
import { editWorkflow } from '../edit/edit-workflow.ts';
import { applyChanges, type TextChange } from '../edit/text-changes.ts';
import type { Issue } from '../../workflow/issue.ts';
import { parseWorkflow, workflowProblems } from '../../workflow/parse-workflow.ts';
import { fixCandidates } from './fix-candidates.ts';
import type { LanguageContext } from './language-context.ts';

type QuickFix = { readonly title: string; readonly changes: readonly TextChange[] };

export type FixedIssue = Pick<Issue, 'line' | 'column' | 'message'> & { readonly fixes: readonly QuickFix[] };

/** Issues for which fixes are looked for: each fix is checked by reading the fixed text. */
const maxFixedIssues = 20;

/**
 * The issues that can be fixed, errors first. None for a text that is not YAML.
 * @param isInTime false: no further fixes are looked for
 */
export function quickFixes(
  text: string,
  context: LanguageContext,
  isInTime: () => boolean = () => true,
): readonly FixedIssue[] {
  const before = parseWorkflow(text).issues;
  const seen = new Set<string>();
  return workflowProblems(text)
    .toSorted((one, other) => rankOf(one.issue) - rankOf(other.issue))
    .slice(0, maxFixedIssues)
    .flatMap(({ issue, problem }): FixedIssue[] => {
      if (!isInTime()) return [];
      const { line, column, message } = issue;
      const fixes = fixCandidates(text, problem, context).flatMap(({ title, edits }): QuickFix[] => {
        const { changes } = editWorkflow(text, edits);
        if (changes === undefined || changes.length === 0) return [];
        return isFixed(before, parseWorkflow(applyChanges(text, changes)).issues, issue)
          ? [{ title, changes }]
          : [];
      });
      const key = JSON.stringify([line, column, message]);
      if (fixes.length === 0 || seen.has(key)) return [];
      seen.add(key);
      return [{ line, column, message, fixes }];
    });
}

const rankOf = ({ severity }: Issue): number => (severity === 'error' ? 0 : 1);

function isFixed(before: readonly Issue[], after: readonly Issue[], { severity, message }: Issue): boolean {
  const left = before.map(wordsOf);
  left.splice(left.indexOf(wordsOf({ severity, message })), 1);
  return after.every((issue) => {
    if (severity === 'error' && issue.severity !== 'error') return true;
    const index = left.indexOf(wordsOf(issue));
    if (index < 0) return false;
    left.splice(index, 1);
    return true;
  });
}

/** An edit moves lines, and some messages name one. */
const wordsOf = ({ severity, message }: Pick<Issue, 'severity' | 'message'>): string =>
  `${severity} ${message.replaceAll(/line \d+/g, 'line')}`;
