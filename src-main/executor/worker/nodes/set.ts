import type { MakeRunner } from './node-runner.ts';

export const runSet: MakeRunner<'set'> = ({ values }, { compiler }) => compiler.value(values);
