import { readFileSync } from 'node:fs';

/**
 * Returns the text of a file, or an empty string if it does not exist, such as a file in /proc of a process that
 * has ended.
 */
export const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Lists the process and all its descendants, because PostgreSQL has a process for each connection. */
export const listFamily = (pid: number): readonly number[] => [
  pid,
  ...readText(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .flatMap((child) => listFamily(Number(child))),
];
