// Quick fixes for tables, columns and called workflows that a draft names and that are not there.
// INVARIANT: a fix is offered only if the fixed draft has fewer such issues, and no error of its own.
import { applyChanges } from '../../domain/authoring/edit/text-changes.ts';
import type { FixCandidate } from '../../domain/authoring/language/fix-candidates.ts';
import type { LanguageContext } from '../../domain/authoring/language/language-context.ts';
import type { FixedIssue } from '../../domain/authoring/language/quick-fixes.ts';
import { sourceCandidates } from '../../domain/authoring/language/source-candidates.ts';
import type { Issue } from '../../domain/workflow/issue.ts';
import type { TableFiles } from '../../files/table-files.ts';
import type { FileParser } from './file-parser.ts';
import type { SourceService } from './source-service.ts';
import { loadWorkflow, type LoadedWorkflow } from './workflow-service.ts';

type SourceFixDeps = {
  readonly sources: SourceService;
  readonly parser: FileParser;
  /** Tables of the draft. */
  readonly tables: TableFiles;
};

/** Issues for which fixes are looked for: the fixed draft is read for each fix. */
const maxFixedIssues = 5;

/** The issues of the draft that can be fixed. None for a draft with errors of its own. */
export async function sourceFixes(
  stored: LoadedWorkflow,
  text: string,
  { sources, parser, tables, context }: SourceFixDeps & { readonly context: LanguageContext },
): Promise<readonly FixedIssue[]> {
  const load = (draft: string): Promise<LoadedWorkflow> =>
    loadWorkflow({ path: stored.file, location: stored.location }, draft, parser);
  const draft = await load(text);
  const { workflow } = draft;
  if (workflow === undefined) return [];
  const problemsOf = async (checked: LoadedWorkflow): Promise<readonly Issue[]> =>
    (await sources.check(checked, { tables })).filter(({ severity }) => severity === 'error');
  const issues = await problemsOf(draft);

  const fixOf = async ({ title, edits }: FixCandidate): Promise<FixedIssue['fixes']> => {
    const { changes } = await parser.edit(text, edits);
    if (changes === undefined) return [];
    const fixed = await load(applyChanges(text, changes));
    if (fixed.workflow === undefined) return [];
    return (await problemsOf(fixed)).length < issues.length ? [{ title, changes }] : [];
  };

  const found: FixedIssue[] = [];
  for (const { nodeId, line, column, message } of issues.slice(0, maxFixedIssues)) {
    const candidates = nodeId === undefined ? [] : sourceCandidates(workflow, nodeId, context);
    const fixes = (await Promise.all(candidates.map(fixOf))).flat();
    if (fixes.length > 0) found.push({ line, column, message, fixes });
  }
  return found;
}
