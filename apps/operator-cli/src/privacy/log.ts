import { listRequests } from '@xs2a/event-store/personal-data/erasures';
import { Command } from 'commander';
import { within } from '../command-line/command-run.js';
import { wholeNumber } from '../command-line/option-values.js';
import { columns } from '../command-line/output.js';
import { resourceNames } from '../events/tail.js';

/** `privacy log`. */
export const logCommand = (): Command =>
  new Command('log')
    .description('who exported or forgot data of persons, when and why; whom, it does not say')
    .option('--limit <count>', 'at most N of each resource', wholeNumber, 50)
    .action(
      within<{ limit: number }, []>(async ({ connections, output, options }) => {
        const requests = [];
        for (const resource of resourceNames)
          for (const request of await listRequests(connections.pool(resource), options.limit))
            requests.push({ resource, ...request });
        const shown = requests.sort((one, other) => other.at.getTime() - one.at.getTime());
        output.show(
          shown,
          shown.length === 0
            ? 'Nothing was asked.'
            : columns(
                ['time', 'resource', 'act', 'operator', 'streams', 'waiting', 'retention', 'reason'],
                shown.map((one) => [
                  one.at.toISOString(),
                  one.resource,
                  one.act,
                  one.operator,
                  one.streams,
                  one.waiting,
                  one.despiteRetention ? 'not waited for' : '',
                  one.reason,
                ]),
              ),
        );
      }),
    );
