import { allocatorEnvironment } from '@xs2a/sandbox/processes/allocator';
import { cpus, loadavg, totalmem } from 'node:os';

const allocator = (): string => ('LD_PRELOAD' in allocatorEnvironment() ? 'jemalloc' : 'the system’s malloc');

/** Describes the machine on which the figures were measured, in a sentence. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${allocator()}`;

/** Returns the load averages over the last one and five minutes, including the benchmark itself. */
export const loadOfMachine = (): string =>
  loadavg()
    .slice(0, 2)
    .map((load) => load.toFixed(1))
    .join(', ');
