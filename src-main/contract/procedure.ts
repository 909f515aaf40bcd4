import { z } from 'zod';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';

export type Procedure<Input, Output> = {
  readonly input: z.ZodType<Input>;
  readonly output: (never: never) => Output;
};

/** The output is only a type: our own server is trusted to keep it, and the compiler checks that it does. */
export const procedure = <Input, Output>(input: z.ZodType<Input>): Procedure<Input, Output> => ({
  input,
  output: (never) => never,
});

export type Nothing = Record<string, never>;
export const nothing = z.strictObject({});

export const workflowId = z
  .string()
  .regex(workflowIdPattern, 'A workflow id is 1 to 64 letters, digits, "_" and "-"');
export const oneWorkflow = z.strictObject({ workflowId });
