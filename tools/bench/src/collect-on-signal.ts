// Preloaded into the services whose memory is measured (memory-row.ts): what they still need, told apart from what V8 has not
// bothered to collect yet.
process.on('SIGUSR2', () => {
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
});
