// Hardens this process's JavaScript before anything else happens in it. Imported first by worker-main.
//
// errorTaming safe: authors see no stack traces, so no paths of this machine.
// overrideTaming moderate: `result.toString = …` on an author's own object goes on working.
// localeTaming unsafe: keeps `toLocaleString('en-US', …)` and `localeCompare`, which authors need; all that they
//   give away is the machine's default locale.
// errorTrapping, unhandledRejectionTrapping none: a rejected promise that an author forgot must not end the worker.
// evalTaming safe-eval: the compartment's own evaluator needs it; `eval` itself is taken from the compartment.
import 'ses';
import { boundBuiltins } from './bounded-builtins.ts';

// These methods return promises, and `domain/expressions/parse-expression.ts` cannot find calls of them by computed names.
// Only newer engines have them, so no workflow may depend on them.
const { Iterator } = globalThis as { readonly Iterator?: { readonly prototype: object } };
Reflect.deleteProperty(Array, 'fromAsync');
if (Iterator !== undefined) Reflect.deleteProperty(Iterator.prototype, 'toAsync');

// The time zone of the machine must not change the outputs of a workflow.
process.env.TZ = 'UTC';

boundBuiltins();

lockdown({
  errorTaming: 'safe',
  overrideTaming: 'moderate',
  localeTaming: 'unsafe',
  consoleTaming: 'unsafe',
  evalTaming: 'safe-eval',
  errorTrapping: 'none',
  unhandledRejectionTrapping: 'none',
  reporting: 'none',
});
