import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const node = { environment: 'node', pool: 'forks', restoreMocks: true } as const;

export default defineConfig({
  test: {
    // By itself it leaves a core to others, which on two cores is one file at a time, most of it waiting.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        // What holds the pages' state is written with runes; compiled for a server they are plain values.
        plugins: [svelte({ configFile: false })],
        // Machines that test are shared; on a quiet one the longest takes a second or two.
        test: { ...node, name: 'unit', include: ['test/unit/**/*.spec.ts'], testTimeout: 20_000 },
      },
      {
        test: {
          ...node,
          name: 'api',
          include: ['test/api/**/*.spec.ts', 'test/regression/**/*.spec.ts'],
          globalSetup: ['test/build-once.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          ...node,
          name: 'proof',
          include: ['test/proof/**/*.spec.ts'],
          globalSetup: ['test/build-once.ts'],
          fileParallelism: false,
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
