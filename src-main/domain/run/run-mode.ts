/**
 * Where the answers to calls come from: `live` from the services called; `record` too, and they are kept in the
 * workflow's cassette; `fill` from the cassette where it has them, else as with `record`; `replay` from the cassette
 * alone; `mocks` from the nodes' mocks alone.
 */
export const runModes = ['live', 'record', 'fill', 'replay', 'mocks'] as const;
export type RunMode = (typeof runModes)[number];
