import { defineCommand } from '../command-line/define-command.js';
import { durationText } from '@xs2a/doctor/durations';
import { flag } from '../command-line/options.js';

const marks = { ok: '✓', warned: '!', failed: '✗', skipped: '–' } as const;

const labelled = (label: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`  ${label}: ${text}`];

export const doctor = defineCommand({
  name: 'doctor',
  help: 'checks servers, migrations, clocks, streams and workers; shows the command that repairs what is wrong',
  options: { deep: flag('checks the invariants too: reads every event and the whole ledger') },
  run: async function* ({ connections, options }) {
    // Loaded on demand, because it loads the migrations of every service.
    const { examine } = await import('./doctor.js');
    yield* examine(connections, options.deep);
  },
  text: ({ name, state, text, repair, runbook, ms }) => {
    const took = ms > 1000 ? ` (${durationText(ms)})` : '';
    const line = `${marks[state]} ${name.padEnd(20)}  ${text}${took}`;
    return [line, ...labelled('Run', repair), ...labelled('See', runbook)].join('\n');
  },
  failed: ({ state }) => state === 'failed',
});
