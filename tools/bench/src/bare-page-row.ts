import { wireRequest } from './load-plan.js';
import type { Row } from './row.js';

/** The bare hop with an answer as long as a page of 50 entries: what is left of the baseline for those rows to reach. */
export const barePageRow: Row = {
  name: 'bare-page',
  title: 'bare hop, an answer of 20 KB',
  prepare: async (_world, _most, { port, parts }) => ({
    requests: [wireRequest('GET', '/page', {})],
    expect: 200,
    port,
    parts,
  }),
};
