import { readFileSync } from 'node:fs';

/** The text of a file; empty where there is none, such as /proc of a process that has ended. */
export const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all its descendants: PostgreSQL has a process for each connection. */
export const listFamily = (pid: number): readonly number[] => [
  pid,
  ...readText(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .flatMap((child) => listFamily(Number(child))),
];
