// Small changes to a TypeScript file, each of which a good spec should notice.
import ts from 'typescript';

const swapped = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
]);

/** `{ path, line, before, after, text }` for each: what is changed to what, and the whole file's text with it. */
export function mutantsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const change = (node, after) => {
    const start = node.getStart(file);
    mutants.push({
      path,
      line: file.getLineAndCharacterOfPosition(start).line + 1,
      before: oneLine(source.slice(start, node.end)),
      after: oneLine(after),
      text: source.slice(0, start) + after + source.slice(node.end),
    });
  };
  const visit = (node) => {
    if (isOutside(node)) return;
    mutate(node, change, file);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

/** Types, imports and words for people decide nothing. */
const isOutside = (node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isNewExpression(node) && node.expression.getText() === 'Error') ||
  (ts.isCallExpression(node) && /\.log\.(warn|error|info)$/.test(node.expression.getText()));

function mutate(node, change, file) {
  if (ts.isBinaryExpression(node)) {
    const operator = swapped.get(node.operatorToken.kind);
    if (operator !== undefined) change(node.operatorToken, operator);
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    change(node, node.operand.getText(file));
  } else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
    change(node.expression, 'false');
    if (ts.isIfStatement(node)) change(node.expression, 'true');
  } else if (ts.isConditionalExpression(node)) {
    change(node.condition, 'true');
    change(node.condition, 'false');
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) change(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) change(node, 'true');
  else if (ts.isNumericLiteral(node)) change(node, String(Number(node.text.replaceAll('_', '')) + 1));
  else if (ts.isStringLiteral(node) && !ts.isElementAccessExpression(node.parent)) change(node, "'changed'");
  else if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) change(node, ';');
}

const oneLine = (text) => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
};
