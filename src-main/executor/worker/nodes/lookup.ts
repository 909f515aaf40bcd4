import { lookupKey } from '../record-index.ts';
import type { MakeRunner } from './node-runner.ts';

export const runLookup: MakeRunner<'lookup'> = ({ table, key, match }, { compiler, records }) => {
  const matchValue = compiler.value(match);
  const index = records(table, key);
  return (scope) => {
    const text = lookupKey(matchValue(scope));
    return text === undefined ? null : index.find(text);
  };
};
