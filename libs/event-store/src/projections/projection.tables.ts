import type { Projection } from './projection.js';
import { quotedName } from '../streams/quoted-name.js';

/** SQL for a migration that creates the checkpoints of a service's projections. */
export const projectionTables = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  return `
CREATE TABLE ${at}.projection (
  name text PRIMARY KEY,
  version int NOT NULL,
  pos bigint NOT NULL DEFAULT 0
);
COMMENT ON COLUMN ${at}.projection.version IS 'version of the rows; 0: a rebuild is changing it';
COMMENT ON COLUMN ${at}.projection.pos IS 'everything up to this position of the log is in the table';
GRANT SELECT, UPDATE (pos) ON ${at}.projection TO ${quotedName(serviceRole)};
`;
};

/** SQL for a migration that creates the empty table of a projection, which the service may read and write. */
export const createProjection = (
  schema: string,
  serviceRole: string,
  { name, version, columns, key }: Projection,
): string => {
  const table = `${quotedName(schema)}.${quotedName(name)}`;
  return `CREATE TABLE ${table} (
      month text NOT NULL,
      ${columns},
      PRIMARY KEY (month, ${key.map(quotedName).join(', ')})
    );
    COMMENT ON COLUMN ${table}.month IS 'month (UTC) in which the streams of this row began';
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${quotedName(serviceRole)};
    INSERT INTO ${quotedName(schema)}.projection (name, version) VALUES ('${name}', ${version});`;
};
