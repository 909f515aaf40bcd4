// Quick fixes of broken workflow files. Each fix that is offered removes its issue and adds none.
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../../../../src-main/domain/authoring/edit/text-changes.ts';
import { emptyContext } from '../../../../../src-main/domain/authoring/language/language-context.ts';
import { quickFixes } from '../../../../../src-main/domain/authoring/language/quick-fixes.ts';
import { parseWorkflow } from '../../../../../src-main/domain/workflow/parse-workflow.ts';
import { brokenFiles } from '../../../../builders/broken-files.ts';

const context = { ...emptyContext, workflowId: 'leads', workflowIds: ['leads', 'check-address'] };

describe('quick fixes', () => {
  for (const { title, text, fixes, after } of brokenFiles)
    it(title, () => {
      const offered = quickFixes(text, context).flatMap((issue) =>
        issue.fixes.map((fix) => ({ ...fix, message: issue.message })),
      );
      expect(offered.map((fix) => fix.title)).toEqual(fixes);
      const messages = parseWorkflow(text).issues.map(({ message }) => message);
      for (const { changes, message } of offered) {
        const left = parseWorkflow(applyChanges(text, changes)).issues.map((issue) => issue.message);
        const others = messages.toSpliced(messages.indexOf(message), 1);
        expect(others).toEqual(expect.arrayContaining(left));
        expect(left.length).toBeLessThanOrEqual(others.length);
      }
      const [first] = offered;
      if (after !== undefined && first !== undefined)
        expect(applyChanges(text, first.changes)).toContain(after);
    });

  it('offers nothing for a file that is not YAML, and for an empty one', () => {
    expect(quickFixes('nodes: [', context)).toEqual([]);
    expect(quickFixes('', context)).toEqual([]);
  });
});
