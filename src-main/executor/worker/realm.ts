// Hardens this process's JavaScript before anything else happens in it. Imported first by worker-main.
//
// errorTaming safe: authors see no stacks, so no paths of this machine.
// overrideTaming moderate: `result.toString = …` on an author's own object goes on working.
// localeTaming unsafe: keeps `toLocaleString('en-US', …)` and `localeCompare`, which authors need; all that they
//   give away is the machine's default locale.
// errorTrapping, unhandledRejectionTrapping none: a rejected promise that an author forgot must not end the worker.
// evalTaming safe-eval: the compartment's own evaluator needs it; `eval` itself is taken from the compartment.
import 'ses';
import { boundBuiltins } from './bounded-builtins.ts';

// They give promises without a word that `domain/expressions/parse-expression.ts` could find, since methods can be reached
// by names that are put together. Newer engines have them, older ones do not: no workflow may depend on them anyway.
const { Iterator } = globalThis as { readonly Iterator?: { readonly prototype: object } };
Reflect.deleteProperty(Array, 'fromAsync');
if (Iterator !== undefined) Reflect.deleteProperty(Iterator.prototype, 'toAsync');

// The zone of the machine must not decide what a workflow gives.
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
