import type { Projection } from './projection.js';
import { quotedName } from '../streams/quoted-name.js';

/** The name of the table that a projection's view shows. */
export const buildTable = (name: string, build: number): string => `${name}_${build}`;

/**
 * SQL for a migration that creates the registry of a service's projections: their builds, each build's checkpoint,
 * and which build is live.
 */
export const projectionTables = (schema: string, serviceRole: string): string => {
  const at = quotedName(schema);
  const role = quotedName(serviceRole);
  return `
CREATE TABLE ${at}.projection (
  name text NOT NULL,
  build int NOT NULL,
  version int NOT NULL,
  pos bigint NOT NULL DEFAULT 0,
  live boolean NOT NULL,
  PRIMARY KEY (name, build)
);
CREATE UNIQUE INDEX projection_live ON ${at}.projection (name) WHERE live;
COMMENT ON COLUMN ${at}.projection.pos IS 'everything up to this position of the log is in the table';
GRANT SELECT, UPDATE (pos) ON ${at}.projection TO ${role};
`;
};

/** SQL that creates the table of one build. The service may read and write its rows. */
export const createBuild = (
  schema: string,
  serviceRole: string,
  projection: Projection,
  build: number,
): string => {
  const table = `${quotedName(schema)}.${quotedName(buildTable(projection.name, build))}`;
  return `CREATE TABLE ${table} (${projection.columns});
    GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${quotedName(serviceRole)};`;
};

/**
 * The name of the table that stores, for each file, how much the archived events contribute to a summing
 * projection.
 */
export const archivedSumsTable = (name: string): string => `${name}_archived`;

/** SQL for a migration that creates the table {@link archivedSumsTable}. Only the operator CLI reads and writes it. */
export const createArchivedSums = (
  schema: string,
  { name, columns }: Pick<Projection, 'name' | 'columns'>,
): string => {
  const [own, sums] = [archivedSumsTable(name), `${archivedSumsTable(name)}_next`];
  const at = quotedName(schema);
  return `CREATE TABLE ${at}.${quotedName(sums)} (${columns});
    CREATE TABLE ${at}.${quotedName(own)} (month text NOT NULL, part int NOT NULL, LIKE ${at}.${quotedName(sums)});
    CREATE INDEX ON ${at}.${quotedName(own)} (month, part);
    DROP TABLE ${at}.${quotedName(sums)};`;
};

/** SQL that initialises a build with the contributions of archived events. */
export const beginWithArchived = (schema: string, { name, sums }: Projection, build: number): string => {
  if (sums === undefined) return '';
  const at = quotedName(schema);
  const by = sums.by.map(quotedName).join(', ');
  const of = sums.of.map(quotedName);
  return `INSERT INTO ${at}.${quotedName(buildTable(name, build))} (${by}, ${of.join(', ')})
    SELECT ${by}, ${of.map((column) => `sum(${column})`).join(', ')} FROM ${at}.${quotedName(archivedSumsTable(name))} GROUP BY ${by};`;
};

/**
 * SQL that makes a projection's view show a build. `replace` means that the view already exists with the same
 * columns.
 */
export const showBuild = (
  schema: string,
  serviceRole: string,
  projection: Projection,
  { build, replace }: { readonly build: number; readonly replace: boolean },
): string => {
  const at = quotedName(schema);
  const view = `${at}.${quotedName(projection.name)}`;
  return `${replace ? 'CREATE OR REPLACE' : `DROP VIEW IF EXISTS ${view}; CREATE`} VIEW ${view} AS
      SELECT * FROM ${at}.${quotedName(buildTable(projection.name, build))};
    GRANT SELECT ON ${view} TO ${quotedName(serviceRole)};`;
};

/** SQL for a migration that creates a projection whose first build is empty and live. */
export const createProjection = (schema: string, serviceRole: string, projection: Projection): string => `
  ${createBuild(schema, serviceRole, projection, 1)}
  ${showBuild(schema, serviceRole, projection, { build: 1, replace: false })}
  INSERT INTO ${quotedName(schema)}.projection (name, build, version, live)
    VALUES ('${projection.name}', 1, ${projection.version}, true);
`;
