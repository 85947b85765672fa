import { jobChanges } from '@xs2a/console/jobs/job-changes';
import { changeJob } from '@xs2a/contracts/console/job.contract';
import { recorded } from '../actions/recorded.js';
import { askConsole } from '../ask-service.js';
import { defineCommand, group } from '../command-line/define-command.js';
import { argument } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { recordOptions } from '../privacy/person-options.js';

const change = (name: 'pause' | 'continue', help: string) =>
  defineCommand({
    name,
    help,
    options: { jobId: argument('id of a job: the last part of the address of its page'), ...recordOptions },
    run: async ({ connections, options: { jobId, ...record } }) => {
      const act = `${name}-job` as const;
      const { done, refused } = jobChanges[act];
      return recorded(connections, { act, target: jobId, ...record }, async () => {
        const { isChanged } = await askConsole(connections, changeJob, { jobId, change: name });
        if (!isChanged) throw new Refusal(refused);
        return { result: { jobId }, outcome: done };
      });
    },
    text: ({ jobId }) => `✓ job ${jobId} ${name === 'pause' ? 'is paused' : 'continues'}`,
  });

/** The commands for jobs, which send many notifications again. */
export const jobs = group('jobs', 'jobs of the staff: docs/how-to/operate-the-console.md', [
  change('pause', 'pauses a running job; items that are not handled yet wait'),
  change('continue', 'lets a paused job continue with the items that are left'),
]);
