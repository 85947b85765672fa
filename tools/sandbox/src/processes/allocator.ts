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
 * Environment of a service's memory allocator: jemalloc where the machine has it (ADR 22). Freed memory returns to the
 * system after a second, by a separate thread; two arenas, because a service works on one thread. Without jemalloc, glibc
 * maps and unmaps blocks above 32 KB directly: socket read buffers and the memory of a password hash.
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
