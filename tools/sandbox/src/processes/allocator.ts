import { existsSync } from 'node:fs';

/**
 * The paths where Linux distributions install jemalloc: Debian in a folder for each architecture, others in a
 * single folder.
 */
const folders = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/**
 * Node options that limit each semi-space of V8's young generation to 4 MB. With the default of 16 MB, both semi-spaces
 * grow to that size under load and do not shrink again, although almost all of their content is garbage (ADR 22).
 */
export const youngGeneration = '--max-semi-space-size=4';

/**
 * Node options for a service's heap, with a limit of V8's old generation. V8 waits longer before it collects garbage if this
 * limit is higher. On a machine with much memory, V8's own limit is so high that a service under load holds up to twice as
 * much memory as with this one (ADR 22). In a container, V8 takes its limit from the container's memory.
 */
export const heapOptions: readonly string[] = [youngGeneration, '--max-old-space-size=1024'];

/**
 * Returns environment variables for a service's memory allocator: jemalloc if it is installed on the machine (ADR
 * 22). A separate thread returns freed memory to the system after a second; two arenas are enough because a
 * service works on one thread. Without jemalloc, glibc is set to map and unmap blocks above 32 KB directly, such
 * as socket read buffers and password hash memory.
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
