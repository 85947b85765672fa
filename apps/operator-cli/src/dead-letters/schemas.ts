import type { Connections, Schema } from '../connections.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';

/**
 * Lists the schemas of the services that consume events, which are the schemas with the tables of libs/consumers.
 * Throws {@link Refusal} if there are none.
 */
export const consumingSchemas = async (connections: Connections): Promise<Schema[]> => {
  const { rows } = await connections.pool('settlement').query<{ schema: Schema }>(
    `SELECT table_schema AS schema FROM information_schema.tables
     WHERE table_name = 'dead_letter' ORDER BY table_schema`,
  );
  if (rows.length === 0)
    throw new Refusal(`This database does not contain the tables of the services. Run: ${xs2a('doctor')}`);
  return rows.map(({ schema }) => schema);
};
