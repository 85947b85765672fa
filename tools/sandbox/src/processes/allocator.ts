import { existsSync } from 'node:fs';

/** The paths at which Linux distributions put jemalloc's library: Debian by architecture, others in one folder. */
const folders = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/**
 * Environment of a service's memory allocator: jemalloc where the machine has it (ADR 22). What was freed goes back to the
 * system after a second, by a thread of its own; two arenas, since a service does its work on one thread. Without it glibc takes from the
 * system, and gives back, what is larger than 32 KB: what sockets are read into, and a password's hash needed.
 */
export const allocatorEnvironment = (
  exists: (path: string) => boolean = existsSync,
): Readonly<Record<string, string>> => {
  const library = folders.map((folder) => `${folder}/libjemalloc.so.2`).find(exists);
  return library === undefined
    ? { MALLOC_MMAP_THRESHOLD_: '32768' }
    : {
        LD_PRELOAD: library,
        MALLOC_CONF: 'background_thread:true,narenas:2,dirty_decay_ms:1000,muzzy_decay_ms:0',
      };
};
