import type { BenchWorld } from '../world/bench-world.js';
import { xs2a } from './operator-command.js';

/** The output of `archive month` for one file. */
export interface Archived {
  readonly path: string;
  readonly events: number;
  readonly streams: number;
}

/** The months whose payments can be archived, oldest first, such as `2027-03`. */
export const dueMonths = async (world: BenchWorld): Promise<readonly string[]> => {
  const { values } = await xs2a<{ kind: string; resource: string; month: string }>(world, 'archive', 'due');
  return values
    .filter(({ kind, resource }) => kind === 'month' && resource === 'payments')
    .map(({ month }) => month);
};

/** Archives the payments of a month into a folder. */
export const archiveMonth = async (
  world: BenchWorld,
  month: string,
  folder: string,
): Promise<{ readonly files: readonly Archived[]; readonly seconds: number }> => {
  const args = ['archive', 'month', month, '--resource', 'payments', '--to', folder];
  const { values, seconds } = await xs2a<Archived>(world, ...args);
  return { files: values, seconds };
};
