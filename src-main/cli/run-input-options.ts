// Options that change how a run executes: the source of the answers to its calls, its mocks and its clock.
import { basename, dirname, join } from 'node:path';
import { Option, type Command } from 'commander';
import type { RunMode } from '../domain/run/run-mode.ts';
import { parseScenario } from '../domain/scenarios/parse-scenario.ts';
import type { Scenario } from '../domain/scenarios/scenario.ts';
import { cassetteNameFor, workflowFileName } from '../domain/workflow/file-names.ts';
import type { RunInputs } from '../services/new-run.ts';
import { UsageError } from './exit-code.ts';

export type RunInputOptions = {
  readonly record?: string | true;
  readonly fill?: string | true;
  readonly replay?: string | true;
  readonly mocks?: true;
  readonly mock?: readonly string[];
  readonly clock?: 'virtual' | 'real';
  readonly scenario?: Scenario;
  readonly profile?: string;
};

export const addRunInputOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--record [file]',
        'keep the answers to calls in this cassette (default: beside the workflow)',
      )
        .argParser(cassetteOf('--record'))
        .conflicts(['fill', 'replay', 'mocks']),
    )
    .addOption(
      new Option(
        '--fill [file]',
        'answer calls from this cassette where it can, and keep in it the answers to the others',
      )
        .argParser(cassetteOf('--fill'))
        .conflicts(['replay', 'mocks']),
    )
    .addOption(
      new Option('--replay [file]', 'answer calls from this cassette alone, without a network')
        .argParser(cassetteOf('--replay'))
        .conflicts('mocks'),
    )
    .addOption(profileOption())
    .option('--mocks', 'answer nodes that call services from their first mock, without a network')
    .option('--mock <node=name>', 'answer a node from one of its mocks; may be repeated', collected)
    .addOption(
      new Option('--clock <clock>', 'virtual: delays and pauses take no time (default: real)').choices([
        'real',
        'virtual',
      ]),
    )
    .addOption(
      new Option('--scenario <text>', 'inject failures, such as fail-row=3 or upstream-429=0.3').argParser(
        scenarioOf,
      ),
    );

export const profileOption = (): Option =>
  new Option('--profile <name>', 'values of variables: a profile of profiles.yaml beside the workflow');

/** The option may go without a file, and so takes the workflow's where that comes behind it. */
const cassetteOf =
  (option: string) =>
  (file: string): string => {
    if (!/\.ya?ml$/.test(file) && !workflowFileName.test(file)) return file;
    throw new UsageError(
      `${option} ${file}: that is no cassette. Put the workflow first, and ${option} behind it`,
    );
  };

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Throws a UsageError for a `--mock` that is none. */
export function runInputsOf(options: RunInputOptions): RunInputs {
  const mode = modeOf(options);
  const mocks = (options.mock ?? []).map(mockOf);
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(mocks.length === 0 ? {} : { mocks: Object.fromEntries(mocks) }),
    ...(options.clock === 'virtual' ? { clock: options.clock } : {}),
    ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
  };
}

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = parseScenario(text);
  if (scenario === undefined) throw new UsageError(`--scenario ${text}: ${problems.join('; ')}`);
  if (scenario['pause-at'] !== undefined)
    throw new UsageError('--scenario: a run without a server cannot be resumed, so it must not be paused');
  return scenario;
}

function modeOf({ record, fill, replay, mocks }: RunInputOptions): RunMode | undefined {
  if (record !== undefined) return 'record';
  if (fill !== undefined) return 'fill';
  if (replay !== undefined) return 'replay';
  return mocks === true ? 'mocks' : undefined;
}

function mockOf(text: string): readonly [nodeId: string, name: string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1)
    throw new UsageError(`--mock ${text}: expected NODE=NAME, such as --mock company=large`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The cassette that is recorded or played: the one named, else the one beside the workflow's file. */
export function cassettePath({ record, fill, replay }: RunInputOptions, file: string): string | undefined {
  const named = record ?? fill ?? replay;
  if (named === undefined || typeof named === 'string') return named;
  return join(dirname(file), cassetteNameFor(basename(file)));
}
