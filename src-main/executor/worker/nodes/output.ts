import type { MakeRunner } from './node-runner.ts';

/** The fields as JSON texts, in order: the one runner whose value is text, since it goes to the output file. */
export const runOutput: MakeRunner<'output'> = ({ fields }, { compiler }) => {
  const texts = fields.map(([, value]) => compiler.json(value));
  return (scope) => {
    const given: string[] = [];
    for (let field = 0; field < texts.length; field += 1) given.push(texts[field]?.(scope) ?? 'null');
    return given;
  };
};
