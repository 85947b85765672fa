import { archiveTables } from './months/archived-months.tables.js';
import { streamKeyTable } from './encryption/stream-keys.tables.js';
import { eventTables, idempotencyTable } from './streams/event-store.tables.js';
import { logGapTable } from './recovery/log-gaps.js';
import { lostEventTables } from './recovery/lost-events.js';
import { logAnchorTable } from './verification/log-anchor.js';

/**
 * SQL for a migration that creates all tables of a service that stores events, except its status views. One text
 * with several statements.
 */
export const eventStoreTables = (schema: string, serviceRole: string): string =>
  [
    eventTables(schema, serviceRole),
    idempotencyTable(schema, serviceRole),
    streamKeyTable(schema, serviceRole),
    logGapTable(schema, serviceRole),
    lostEventTables(schema, serviceRole),
    logAnchorTable(schema, serviceRole),
    archiveTables(schema, serviceRole),
  ].join('\n');
