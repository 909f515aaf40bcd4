import type { Parsed } from './code-problem.ts';
import { findNames } from './find-names.ts';
import { makesPromises } from './makes-promises.ts';
import { rowReads } from './row-reads.ts';
import { safeSource } from './safe-source.ts';
import type { Scope } from './scope.ts';
import { characterAt, readLeadingExpression, type LeadingExpression, type Syntax } from './syntax.ts';
import type { Expression } from './value.ts';

/** The whole text as one JavaScript expression. */
export function parseExpression(text: string, scope: Scope): Parsed<Expression> {
  if (text.trim() === '') return { ok: false, problems: [{ message: 'The expression is empty', offset: 0 }] };
  const read = readLeadingExpression(text);
  if (!read.ok) return read;
  if (read.value.next < text.length) return { ok: false, problems: [trailing(text, read.value)] };
  const { tree } = read.value;
  if (
    tree.type === 'AssignmentExpression' &&
    tree.operator === '=' &&
    tree.left.type === 'MemberExpression'
  ) {
    const message = 'An expression cannot assign: "=" changes a value, "===" compares';
    return { ok: false, problems: [{ message, offset: tree.left.start }] };
  }
  return checkCode('expression', read.value, scope);
}

const trailing = (text: string, { next }: LeadingExpression) => ({
  message: `Unexpected ${JSON.stringify(characterAt(text, next))} after the expression`,
  offset: next,
});

/** Checks the names, and the sandbox's own rules, of code whose syntax is right. */
export function checkCode(kind: Expression['kind'], syntax: Syntax, scope: Scope): Parsed<Expression> {
  const { nodeRefs, awaitsAt, problems } = findNames(syntax.tree, scope);
  if (problems.length > 0) return { ok: false, problems };
  if (kind === 'expression' && awaitsAt !== undefined) {
    return { ok: false, problems: [{ message: 'Only a code node can await', offset: awaitsAt }] };
  }
  const safe = safeSource(syntax);
  if (!safe.ok) return safe;
  return {
    ok: true,
    value: {
      kind,
      source: syntax.text.trim(),
      safeSource: safe.value,
      nodeRefs,
      rowReads: syntax.text.includes('row') ? rowReads(syntax.tree) : [],
      isAsync: awaitsAt !== undefined,
      makesPromises: makesPromises(syntax.tokens),
    },
  };
}
