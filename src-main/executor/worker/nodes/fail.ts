import { seededChance } from '../seeded-builtins.ts';
import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

export const runFail: MakeRunner<'fail'> = ({ message, rows, attempts, chance, seed }, tools) => {
  const text = tools.compiler.text(message);
  const failingRows = rows === undefined ? undefined : new Set(rows);
  return (scope) => {
    const isMeant =
      (failingRows?.has(scope.row) ?? true) &&
      scope.attempt <= (attempts ?? Infinity) &&
      (chance === undefined || seededChance(seed ?? tools.seed, scope) < chance);
    if (isMeant) throw new NodeError(text(scope));
    return null;
  };
};
