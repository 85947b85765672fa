import type { EventResource } from '@xs2a/contracts/event-streams';
import { resources } from '@xs2a/resources/resources';
import { counted } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import type { Connections } from '../connections.js';
import { type Check, type Outcome, passed } from '../doctor/check.js';
import { resourceNames } from '../events/resource-option.js';
import { neverArchived } from './due-months.js';
import { readRetention } from './retention-settings.js';

/** Warns how many months are due per resource, and since when the oldest one has been due. */
export const dueOutcome = (
  due: readonly {
    readonly resource: EventResource;
    readonly months: readonly { readonly since: string }[];
  }[],
): Outcome => {
  const lines = due.flatMap(({ resource, months }) => {
    const [oldest] = months;
    if (oldest === undefined) return [];
    return [
      `${resource}: ${counted(months.length, 'month')} may be archived, the oldest since ${oldest.since}`,
    ];
  });
  if (lines.length === 0) return passed('no month may be archived');
  return passed(lines.join('; '), xs2a('archive due'));
};

const archiveDue = async (connections: Connections): Promise<Outcome> => {
  const nowMs = await connections.nowMs();
  return dueOutcome(
    await Promise.all(
      resourceNames.map(async (resource) => {
        const { archivedAfterMonths } = readRetention(resource);
        const tables = resources[resource];
        const pool = connections.pool(resource);
        return { resource, months: await neverArchived(pool, { tables, nowMs, archivedAfterMonths }) };
      }),
    ),
  );
};

/** Warns if there are months that may be archived according to the bank's settings. */
export const archiveDueCheck: Check = { name: 'archive', needs: ['postgres', 'nats'], run: archiveDue };
