import { defineCommand } from '../command-line/define-command.js';
import { option } from '../command-line/options.js';

export const check = defineCommand({
  name: 'check',
  help: 'runs the conformance tests of the core-banking port; books small amounts, so use a test system',
  options: {
    natsUrl: option('<url>', 'NATS URL of the core bank: nats://user:password@host:port').required(),
    sample: option('<file>', 'JSON: a PSU and accounts that the checks may use').required(),
  },
  isLocal: true,
  run: async function* ({ options, output }) {
    // Loaded on demand, because its JSON Schema compiler takes a quarter of a command's startup time.
    const { checkAdapter } = await import('./adapter-check.js');
    yield* checkAdapter(options, output);
  },
  text: ({ promise, kept, seen }) => (kept ? `✓ ${promise}` : `✗ ${promise}\n    ${seen}`),
  failed: ({ kept }) => !kept,
});
