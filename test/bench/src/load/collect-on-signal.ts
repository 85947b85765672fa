import { writeFileSync } from 'node:fs';
import { memoryUsage, pid } from 'node:process';
import { liveFile } from './memory.js';

// Preloaded into the services whose memory is measured (memory-row.ts), to distinguish live memory from
// memory that V8 has not collected yet. Writes the number of bytes in live objects and buffers to the folder
// in `?into=`.
const into = new URL(import.meta.url).searchParams.get('into') ?? '';
process.on('SIGUSR2', () => {
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { heapUsed, external } = memoryUsage();
  writeFileSync(liveFile(into, pid), String(heapUsed + external));
});
