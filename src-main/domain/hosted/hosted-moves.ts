import { isFinal, runMoves, statusAfter, type RunMove, type RunStatus } from '../run/run-status.ts';

/**
 * The moves that take a run from its status to the one that the service has: the shortest way along the status table. None
 * for a status that the service has left already: its answers may lag.
 */
export function movesTo(from: RunStatus, to: RunStatus): readonly RunMove[] {
  if (from === to || isFinal(from) || (to === 'queued' && from !== 'paused')) return [];
  const paths: (readonly [RunStatus, readonly RunMove[]])[] = [[from, []]];
  const seen = new Set<RunStatus>([from]);
  for (const [status, moves] of paths)
    for (const move of runMoves) {
      const next = statusAfter(status, move);
      if (next === undefined || seen.has(next)) continue;
      if (next === to) return [...moves, move];
      seen.add(next);
      paths.push([next, [...moves, move]]);
    }
  return [];
}
