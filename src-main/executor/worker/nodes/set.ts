import type { MakeLastingRunner } from './node-runner.ts';

export const runSet: MakeLastingRunner<'set'> = ({ values }, { compiler }) => compiler.value(values);
