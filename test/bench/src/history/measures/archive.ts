import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { archiveMonth, dueMonths } from '../../archive/archived-months.js';
import type { HistoryWorld } from '../history-world.js';

/** Archives the oldest month of payments that can be archived. Returns a sentence with the bytes per payment in the file. */
export const measureArchive = async ({ world }: HistoryWorld, folder: string): Promise<string> => {
  const [month] = await dueMonths(world);
  if (month === undefined) return 'no month of payments is over for long enough to be archived';
  const to = mkdtempSync(join(folder, 'archive-'));
  try {
    const { files, seconds } = await archiveMonth(world, month, to);
    const bytes = files.reduce((sum, { path }) => sum + statSync(path).size, 0);
    const [payments, events] = [
      files.reduce((sum, { streams }) => sum + streams, 0),
      files.reduce((sum, one) => sum + one.events, 0),
    ];
    return `KB kept of a payment in the archive, until its retention ends: ${(bytes / 1000 / payments).toFixed(2)} (${events} events of ${payments} payments archived in ${seconds.toFixed(1)} s)`;
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
};
