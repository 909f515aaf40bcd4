// The one barrel: what a client of the control API may know.
export * from './procedures.ts';
export * from './run-inputs.ts';
export type * from './secret-view.ts';
export type * from './trace-views.ts';
export type * from './views.ts';
export type * from './workflow-views.ts';
export type * from './live.ts';
