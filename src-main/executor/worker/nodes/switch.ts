import type { MakeRunner } from './node-runner.ts';

export const runSwitch: MakeRunner<'switch'> = (config, { compiler }) => {
  const cases = config.cases.map(({ when, value }) => ({
    matches: compiler.condition(when),
    value: compiler.value(value),
  }));
  const otherwise = config.default === undefined ? undefined : compiler.value(config.default);
  return (scope) => (cases.find(({ matches }) => matches(scope))?.value ?? otherwise)?.(scope);
};
