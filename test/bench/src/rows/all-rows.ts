import type { FigureRow, RequestRow } from '../row.js';
import { accountRows } from './account-rows.js';
import { bulkRows } from './bulk-rows.js';
import { busyTppRow } from './busy-tpp-row.js';
import { callRowsRow } from './call-rows-row.js';
import { dueOrdersRow } from './due-orders-row.js';
import { eventAgeRow } from './event-age-row.js';
import { historyRow } from './history-row.js';
import { instantRows } from './instant-rows.js';
import { longAccountRow } from './long-account-row.js';
import { memoryRow } from './memory-row.js';
import { paymentRows } from './payment-rows.js';
import { peerPlanRow } from './peer-plan-row.js';
import { pushRow } from './push-row.js';
import { rebuildRow } from './rebuild-row.js';
import { settlementRows } from './settlement-rows.js';
import { startRows } from './start-rows.js';
import { tracingRow } from './tracing-row.js';

export const requestRows: readonly RequestRow[] = [...paymentRows, ...accountRows];

export const figureRows: readonly FigureRow[] = [
  peerPlanRow,
  longAccountRow,
  eventAgeRow,
  ...settlementRows,
  ...bulkRows,
  ...instantRows,
  dueOrdersRow,
  pushRow,
  rebuildRow,
  ...startRows,
  memoryRow,
  historyRow,
  busyTppRow,
  tracingRow,
  callRowsRow,
];
