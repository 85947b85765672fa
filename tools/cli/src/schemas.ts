import type { Connections, Schema } from './connections.js';

/** The schemas of services that consume events: those with the tables of libs/messaging. */
export const consumingSchemas = async (connections: Connections): Promise<Schema[]> => {
  const { rows } = await connections.pool('settlement').query<{ schema: Schema }>(
    `SELECT table_schema AS schema FROM information_schema.tables
     WHERE table_name = 'consumer_cursor' ORDER BY table_schema`,
  );
  return rows.map(({ schema }) => schema);
};
