// Options that change how a run executes: the source of the answers to its calls, its mocks and its clock.
import { randomInt } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { Option, type Command, InvalidArgumentError } from 'commander';
import type { RunFileResult } from '../../app/run-file.ts';
import { counted } from '../../domain/format.ts';
import { maxSeed, parseSample, SampleProblem, type SampleChoice } from '../../domain/rows/row-sample.ts';
import type { RunMode } from '../../domain/run/run-mode.ts';
import { parseScenario } from '../../domain/scenarios/parse-scenario.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import { addressClasses, type AddressClass } from '../../domain/upstream/address-class.ts';
import { cassetteNameFor, workflowFileName } from '../../domain/workflow/file-names.ts';
import type { RunInputs } from '../../services/runs/new-run.ts';
import { estimateText } from '../commands/rest-command.ts';
import { UsageError } from '../exit-code.ts';
import { printable } from '../format.ts';

type RunInputOptions = {
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

/** The option that runs a part of the rows first. */
export const sampleOption = (): Option =>
  new Option(
    '--sample <rows>',
    'run only some rows: 20 (the first), random:20, random:20:SEED, or each:COLUMN (one for each value)',
  ).argParser(choiceOf);

function choiceOf(text: string): SampleChoice {
  try {
    return parseSample(text, () => randomInt(maxSeed));
  } catch (error) {
    throw error instanceof SampleProblem ? new UsageError(`--sample: ${error.message}`) : error;
  }
}

/** The line about the rows that are left; empty for a run that is no sample. */
export function restText({ sample }: Pick<RunFileResult, 'sample'>): string {
  if (sample === undefined) return '';
  const { choice, restRows, estimate } = sample;
  return `${counted(restRows, 'row')} left${estimateText(estimate)}: run them with --sample ${printable(choice)} --rest\n`;
}

export type NetworkOption = { readonly allowNetwork?: readonly AddressClass[]; readonly proxy?: true };

/** `--allow-network CLASS[,CLASS]`, for every command that makes calls. */
export const allowNetworkOption = (): Option =>
  new Option(
    '--allow-network <classes>',
    `what calls may reach beside public addresses: ${addressClasses.join(', ')}`,
  ).argParser(readClasses);

/** `--proxy`, for commands that make calls without a server and its settings. */
export const proxyOption = (): Option =>
  new Option('--proxy', 'make calls through the proxy that HTTP_PROXY and HTTPS_PROXY name');

function readClasses(text: string): AddressClass[] {
  return text.split(',').map((name) => {
    const found = addressClasses.find((known) => known === name.trim());
    if (found === undefined) throw new InvalidArgumentError(`Expected some of ${addressClasses.join(', ')}.`);
    return found;
  });
}
