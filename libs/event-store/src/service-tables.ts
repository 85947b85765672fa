import { archiveTables } from './archive/archive.tables.js';
import { privacyLogTable } from './personal-data/privacy-log.tables.js';
import { streamKeyTable } from './personal-data/stream-keys.tables.js';
import { eventTables, idempotencyTable } from './streams/event-store.tables.js';
import { logGapTable } from './streams/log-gaps.js';
import { lostEventTables } from './streams/lost-events.js';
import { logAnchorTable } from './verification/log-anchor.js';

/**
 * SQL for a migration that creates all tables of a service that stores events, except its status views. One text
 * with several statements.
 */
export const eventStoreTables = (schema: string, serviceRole: string): string =>
  [
    eventTables(schema, serviceRole),
    idempotencyTable(schema, serviceRole),
    privacyLogTable(schema),
    streamKeyTable(schema, serviceRole),
    logGapTable(schema, serviceRole),
    lostEventTables(schema, serviceRole),
    logAnchorTable(schema, serviceRole),
    archiveTables(schema, serviceRole),
  ].join('\n');
