import type { ControlRouteName } from '../../contract/procedures.ts';
import type { Route } from '../route.ts';

/** A route of the control API, with the name under which the table of roles has it. */
export type ControlRoute = Route & { readonly name: ControlRouteName };
