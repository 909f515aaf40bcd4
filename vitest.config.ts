import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longApiSpecs } from './scripts/long-specs.mjs';

// What is polled for comes at once; only a machine that is busy with other things needs the time.
const node = {
  environment: 'node',
  pool: 'forks',
  restoreMocks: true,
  expect: { poll: { timeout: 10_000 } },
  // Modules that an earlier run has transformed are read from node_modules.
  experimental: { fsModuleCache: true },
} as const;

// What holds the pages' state is written with runes; compiled for a server they are plain values. Projects with the same
// plugins share transformed modules.
const plugins = [svelte({ configFile: false })];

/** They hold what a process takes, and must not share the machine with another rig. */
const measured = [
  'test/proof/example-tests.spec.ts',
  'test/proof/fresh-server.spec.ts',
  'test/proof/load.spec.ts',
  'test/proof/million-rows.spec.ts',
  'test/proof/responsive-rows.spec.ts',
];
/** Started first: what begins last and takes long would be waited for alone. */
const longest = [
  'test/proof/kill-loop.spec.ts',
  'test/proof/idle-memory.spec.ts',
  'test/proof/silent-tests.spec.ts',
  'test/proof/lying-worker.spec.ts',
  'test/proof/security-sandbox.spec.ts',
  'test/proof/hostile-code.spec.ts',
  'test/proof/team-chaos.spec.ts',
  'test/proof/storage-thread.spec.ts',
  'test/proof/hostile-upstream.spec.ts',
  ...longApiSpecs,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((end) => moduleId.endsWith(end));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // By itself it leaves a core to others, which on two cores is one file at a time, most of it waiting.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        plugins,
        // Machines that test are shared; on a quiet one the longest takes a second or two.
        test: {
          ...node,
          name: 'unit',
          include: ['test/unit/**/*.spec.ts'],
          // A process for each of hundreds of files takes longer than what is in them.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        plugins,
        test: {
          ...node,
          name: 'api',
          include: ['test/api/**/*.spec.ts', 'test/regression/**/*.spec.ts'],
          globalSetup: ['test/build-once.ts'],
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        plugins,
        test: {
          ...node,
          name: 'proof',
          include: ['test/proof/**/*.spec.ts'],
          exclude: measured,
          globalSetup: ['test/build-once.ts'],
          testTimeout: 60_000,
          // What they leave behind is much, and a shared disk may stand still for seconds when it is removed.
          hookTimeout: 60_000,
        },
      },
      {
        plugins,
        test: {
          ...node,
          name: 'proof-measured',
          include: measured,
          globalSetup: ['test/build-once.ts'],
          fileParallelism: false,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...node,
          name: 'bench',
          include: ['test/bench/**/*.spec.ts'],
          globalSetup: ['test/build-once.ts'],
          fileParallelism: false,
        },
      },
      { test: { ...node, name: 'generate', include: ['test/generate/**/*.spec.ts'] } },
    ],
  },
});
