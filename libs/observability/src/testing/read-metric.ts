import { metrics } from '../metrics.js';

/** Returns the values of a counter or gauge of this process by its label values, separated by spaces. For tests. */
export const readMetric = async (name: string): Promise<Record<string, number>> => {
  const { values } = (await metrics.getSingleMetric(name)?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
};

/** Runs `work` and returns by how much each value of a counter or gauge has changed meanwhile. For tests. */
export const changeOf = async (
  name: string,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> => {
  const before = await readMetric(name);
  await work();
  const changes = Object.entries(await readMetric(name)).map(([labels, value]): [string, number] => [
    labels,
    value - (before[labels] ?? 0),
  ]);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
};
