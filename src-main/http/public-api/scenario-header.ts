// The header by which a trigger call asks for a scenario, and by which every answer about a run with one says so.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { scenariosOff } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { readScenario, scenarioText } from '../../domain/scenarios/parse-scenario.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import type { Settings } from '../../domain/settings.ts';

export const scenarioHeader = 'x-rowbench-scenario';

/**
 * The scenario that the call asks for; undefined: none. Throws `invalid_input` for a malformed header, or where the
 * setting is off.
 */
export function requestedScenario(
  { headers }: IncomingMessage,
  setting: Settings['scenarios'],
): Scenario | undefined {
  const text = headers[scenarioHeader];
  if (text === undefined) return undefined;
  if (!setting.header) throw scenariosOff();
  // Sent twice, it is two halves of one list.
  return readScenario(Array.isArray(text) ? text.join(',') : text);
}

export function setScenarioHeader(context: Context, { scenario }: Run): void {
  if (scenario !== undefined) context.set(scenarioHeader, scenarioText(scenario));
}
