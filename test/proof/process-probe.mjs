// Loaded into a server process by `--import`: on SIGUSR2 it writes the process's own figures on its load.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

process.on('SIGUSR2', () => {
  const report = {
    // The histogram counts from the timer's own 20 ms.
    eventLoopDelayP99Ms: delay.percentile(99) / 1e6 - 20,
    eventLoopDelayMaxMs: delay.max / 1e6 - 20,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
  };
  writeFileSync(process.env.PROBE_REPORT, JSON.stringify(report));
});
