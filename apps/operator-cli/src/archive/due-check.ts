import { archivedTables } from '@xs2a/event-store/archive/archived-tables';
import { counted } from '../command-line/output.js';
import { xs2a } from '../command-line/own-name.js';
import type { Connections } from '../connections.js';
import type { Check, Outcome } from '../doctor/check.js';
import { resourceNames } from '../events/tail.js';
import { neverArchived } from './due-months.js';
import { readRetention } from './retention-settings.js';

const archiveDue = async (connections: Connections): Promise<Outcome> => {
  const nowMs = await connections.nowMs();
  const found: string[] = [];
  for (const resource of resourceNames) {
    const { archivedAfterMonths } = readRetention(resource);
    const tables = archivedTables[resource];
    const months = await neverArchived(connections.pool(resource), { tables, nowMs, archivedAfterMonths });
    const [oldest] = months;
    if (oldest !== undefined)
      found.push(
        `${resource}: ${counted(months.length, 'month')} may be archived, the oldest since ${oldest.since}`,
      );
  }
  if (found.length === 0) return { ok: true, text: 'no month may be archived' };
  return { ok: true, text: found.join('; '), mend: xs2a('archive due') };
};

/** Warns when months may be archived by the bank's settings. */
export const archiveDueCheck: Check = { name: 'archive', needs: ['postgres', 'nats'], run: archiveDue };
