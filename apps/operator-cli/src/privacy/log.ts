import { listRequests } from '@xs2a/custody/personal-data/erasures';
import { defineCommand } from '../command-line/define-command.js';
import { option, wholeNumber } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { resourceNames } from '../events/resource-option.js';

export const log = defineCommand({
  name: 'log',
  help: 'who searched, exported or erased personal data, when and why, but not whose',
  options: { limit: option('<count>', 'at most N of each resource', wholeNumber).or(50) },
  run: async ({ connections, options: { limit } }) => {
    const requests = [];
    for (const resource of resourceNames)
      for (const request of await listRequests(connections.pool(resource), limit))
        requests.push({ resource, ...request });
    return requests.sort((one, other) => other.at.getTime() - one.at.getTime());
  },
  text: (requests) =>
    table(
      requests,
      {
        time: ({ at }) => at.toISOString(),
        resource: ({ resource }) => resource,
        act: ({ act }) => act,
        operator: ({ operator }) => operator,
        streams: ({ streams }) => streams,
        waiting: ({ waiting }) => waiting,
        retention: ({ despiteRetention }) => (despiteRetention ? 'not waited for' : ''),
        reason: ({ reason }) => reason,
      },
      'No requests.',
    ),
});
