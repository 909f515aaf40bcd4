// Finds YAML that a workflow file must not use: lines whose meaning another line decides (aliases, merge keys), names
// of types in the reader's language (tags), and values that would be lost as data (infinite numbers, duplicate keys).
import { isAlias, isCollection, isMap, isScalar, Scalar, type Document } from 'yaml';
import type { CodeProblem } from '../expressions/code-problem.ts';
import { maxIssues } from './issue.ts';
import { keyText, type FileNode, type FilePair } from './file-document.ts';

/** Problems with offsets in the file. The document is at most as deep as a file may be. */
export function findRefused(document: Document.Parsed): CodeProblem[] {
  const problems: CodeProblem[] = [];
  visit(document.contents, (message, node) => {
    if (problems.length <= maxIssues) problems.push({ message, offset: node?.range[0] ?? 0 });
  });
  return problems;
}

type Report = (message: string, node: FileNode) => void;

function visit(node: FileNode, report: Report): void {
  if (node === null) return;
  if (isAlias(node)) return report('Aliases (*name) are not allowed here: write the value again', node);
  if (node.anchor !== undefined) report('Anchors (&name) are not allowed here', node);
  if (node.tag !== undefined) report('Tags (!name) are not allowed here', node);
  if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
    report('Numbers must be finite', node);
  }
  if (isMap(node)) visitPairs(node.items, report);
  else if (isCollection(node)) for (const item of node.items) visit(item, report);
}

function visitPairs(pairs: readonly FilePair[], report: Report): void {
  const seen = new Set<string>();
  for (const { key, value } of pairs) {
    visit(key, report);
    const name = keyText(key);
    if (seen.has(name)) report(`The key ${JSON.stringify(name)} appears here twice`, key);
    seen.add(name);
    if (name === '<<' && isScalar(key) && key.type === Scalar.PLAIN) {
      report('Merge keys (<<) are not allowed here: write the values out', key);
    }
    visit(value, report);
  }
}
