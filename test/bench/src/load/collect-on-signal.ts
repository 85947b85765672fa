import { writeFileSync } from 'node:fs';
import { memoryUsage, pid } from 'node:process';
import { liveFile } from './memory.js';

// Preloaded into the services whose memory is measured (memory-row.ts): what they still need, separate from what V8 has not
// bothered to collect yet. Leaves in the folder `?into=` how many bytes its objects and buffers then have.
const into = new URL(import.meta.url).searchParams.get('into') ?? '';
process.on('SIGUSR2', () => {
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { heapUsed, external } = memoryUsage();
  writeFileSync(liveFile(into, pid), String(heapUsed + external));
});
