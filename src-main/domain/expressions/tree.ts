// Questions about a syntax tree that need no knowledge of Rowbench.
import type { AnyNode, Pattern, Statement, ModuleDeclaration } from 'acorn';

const isTreeNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Direct children, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isTreeNode) : isTreeNode(value) ? [value] : [],
  );
}

/** A node that is more than `maxDepth` levels below the tree's top, if there is one. Calls nothing recursively. */
export function deepNode(tree: AnyNode, maxDepth: number): AnyNode | undefined {
  let level = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxDepth) return level[0];
    level = level.flatMap(childrenOf);
  }
  return undefined;
}

/** The variables that a pattern binds: `a`, `{ a, b: [c], ...rest }`, `a = 1`. */
export function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'RestElement' ? property : property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'MemberExpression':
      return [];
  }
}

/** Names that `let`, `const`, `class` and `function` declare directly in a block, a loop's head or a switch. */
export function blockNames(node: AnyNode): string[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
      return node.body.flatMap(declaredNames);
    case 'SwitchStatement':
      return node.cases.flatMap((switchCase) => switchCase.consequent.flatMap(declaredNames));
    case 'ForStatement':
      return node.init?.type === 'VariableDeclaration' ? declaredNames(node.init) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? declaredNames(node.left) : [];
    default:
      return [];
  }
}

function declaredNames(statement: Statement | ModuleDeclaration): string[] {
  switch (statement.type) {
    case 'VariableDeclaration':
      return statement.declarations.flatMap((declaration) => patternNames(declaration.id));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [statement.id.name];
    default:
      return [];
  }
}

/** Names that `var` declares at any depth, but not inside a nested function or class. */
export function hoistedNames(node: AnyNode): string[] {
  if (/^(Function|ArrowFunction|Class)/.test(node.type)) return [];
  const own =
    node.type === 'VariableDeclaration' && node.kind === 'var'
      ? node.declarations.flatMap((declaration) => patternNames(declaration.id))
      : [];
  return [...own, ...childrenOf(node).flatMap(hoistedNames)];
}
