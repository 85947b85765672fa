import { allocatorEnvironment } from '@xs2a/sandbox/processes/allocator';
import { cpus, loadavg, totalmem } from 'node:os';

const allocator = (): string => ('LD_PRELOAD' in allocatorEnvironment() ? 'jemalloc' : 'the system’s malloc');

/** A sentence about the machine on which the figures were measured. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${allocator()}`;

/** The load averages of the last minute and the last five, including the benchmark itself. */
export const loadOfMachine = (): string =>
  loadavg()
    .slice(0, 2)
    .map((load) => load.toFixed(1))
    .join(', ');
