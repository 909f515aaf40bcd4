// What the tables of procedures are made of.
import { z } from 'zod';
import type { Role } from '../domain/access/role.ts';
import type { JsonObject, JsonValue } from '../base/json-value.ts';
import type { ReadonlyDeep } from '../base/readonly-deep.ts';
import { lookupText } from '../domain/lookup-text.ts';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';

/** The role that a call takes, and whether it changes anything: a change is written to the audit log. */
export type AccessRule = { readonly role: Role; readonly isChange: boolean };

/** The output is only a type: our own server is trusted to keep it, and the compiler checks that it does. */
type Procedure<Input extends z.ZodType, Output> = AccessRule & {
  readonly input: Input;
  readonly output: (never: never) => Output;
};

/** The type of an answer: `answer<RunView>`. */
export const answer = <Output>(never: never): Output => never;

const procedureFor =
  (rule: AccessRule) =>
  <Input extends z.ZodType, Output>(
    input: Input,
    output: (never: never) => Output,
  ): Procedure<Input, Output> => ({ ...rule, input, output });

export const viewer = procedureFor({ role: 'viewer', isChange: false });
/** For a procedure that takes the server's time or a user's secrets, but leaves nothing behind. */
export const operator = procedureFor({ role: 'operator', isChange: false });
export const operatorChange = procedureFor({ role: 'operator', isChange: true });
export const admin = procedureFor({ role: 'admin', isChange: false });
export const adminChange = procedureFor({ role: 'admin', isChange: true });

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/**
 * A schema of a type of the domain. A member that only one of them has does not compile. Call it as
 * `schemaOfType<Column>()(schema)`, so that the compiler finds out the schema's own type.
 */
export const schemaOfType =
  <T>() =>
  <Schema extends z.ZodType>(
    schema: Schema,
    ..._isSame: Same<ValueOf<Schema>, ReadonlyDeep<T>> extends true ? [] : ['the schema has other members']
  ): Schema =>
    schema;

/** A value as a schema returns it. */
export type ValueOf<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

export type Nothing = Record<string, never>;
export const nothing = z.strictObject({});

export const workflowId = z
  .string()
  .regex(workflowIdPattern, 'A workflow id is 1 to 64 letters, digits, "_" and "-"');
export const oneWorkflow = z.strictObject({ workflowId });

export const jsonValue = z.custom<JsonValue>((value) => value !== undefined, 'expected a JSON value');

export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);

/** A run's id; where a person types it, its beginning or its end. */
export const runId = lookupText.max(64);
export const oneRun = z.strictObject({ runId });
/** The number of a row, or its place. */
export const rowNumberSchema = z.number().int().min(1).max(100_000_000);
/** Name of a profile of `profiles.yaml`. */
export const profileName = lookupText.max(64);
