// Loaded into a server process by `--import`: on SIGUSR2 it writes the process's own figures on its load.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

let fullCollections = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries())
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) fullCollections += 1;
}).observe({ entryTypes: ['gc'] });

const children = [];
subscribe('child_process', ({ process: child }) => children.push(child));
const nameOf = ({ spawnargs }) =>
  basename(spawnargs.slice(1).find((argument) => /\.[cm]?js$/.test(argument)) ?? spawnargs[0]);

process.on('SIGUSR2', () => {
  const report = {
    // The histogram counts from the timer's own 20 ms.
    eventLoopDelayP99Ms: delay.percentile(99) / 1e6 - 20,
    eventLoopDelayMaxMs: delay.max / 1e6 - 20,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    fullCollections,
    forked: children.map(nameOf),
  };
  writeFileSync(process.env.PROBE_REPORT, JSON.stringify(report));
});
