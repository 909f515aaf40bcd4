import type { MakeRunner } from './node-runner.ts';

export const runSwitch: MakeRunner<'switch'> = (config, { compiler }) => {
  const cases = config.cases.map(({ when, value }) => ({
    holds: compiler.condition(when),
    value: compiler.value(value),
  }));
  const otherwise = config.default === undefined ? undefined : compiler.value(config.default);
  return (scope) => (cases.find(({ holds }) => holds(scope))?.value ?? otherwise)?.(scope);
};
