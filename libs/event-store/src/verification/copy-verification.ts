import type { Pool } from 'pg';
import { quotedName } from '../streams/quoted-name.js';
import type { Verification } from './verify-events.js';

/** SQL for a migration that creates `copy_verification`. Only the schema's owner writes to the table; the service reads it. */
export const copyVerificationTable = (schema: string, serviceRole: string): string => {
  const table = `${quotedName(schema)}.copy_verification`;
  return `
CREATE TABLE ${table} (
  once boolean PRIMARY KEY DEFAULT true CHECK (once),
  up_to bigint NOT NULL,
  copies bigint NOT NULL,
  missing bigint NOT NULL,
  findings bigint NOT NULL,
  verified_at timestamptz NOT NULL
);
COMMENT ON TABLE ${table} IS 'the latest comparison of the log with its copy in JetStream';
COMMENT ON COLUMN ${table}.up_to IS 'position of the last event of the copy that was compared';
COMMENT ON COLUMN ${table}.findings IS 'events of log or copy that differ from what was appended';
GRANT SELECT ON ${table} TO ${quotedName(serviceRole)};
`;
};

/** The result of the latest comparison of a log with its JetStream copy. */
export interface CopyVerification {
  /** The log position of the last event in the copy; events after it were not compared. */
  readonly upTo: number;
  readonly copies: number;
  /** The number of events of the log that are missing from the copy between the first and the last event of the copy. */
  readonly missing: number;
  /** The number of events that were changed after they were appended, in the log or in the copy. */
  readonly findings: number;
  /** @format date-time */
  readonly verifiedAt: string;
}

/**
 * Stores the result of a verification and overwrites the previous result. Stores nothing if the verification did not compare the
 * JetStream copy. Requires a pool of the schema's owner.
 */
export const recordCopyVerification = async (
  pool: Pool,
  { comparedUpTo, copies, missing, findingsInAll }: Verification,
): Promise<void> => {
  if (comparedUpTo === undefined) return;
  await pool.query({
    name: 'copy-verified',
    text: `INSERT INTO copy_verification (up_to, copies, missing, findings, verified_at) VALUES ($1, $2, $3, $4, now())
      ON CONFLICT (once) DO UPDATE SET up_to = EXCLUDED.up_to, copies = EXCLUDED.copies,
        missing = EXCLUDED.missing, findings = EXCLUDED.findings, verified_at = EXCLUDED.verified_at`,
    values: [comparedUpTo, copies, missing, findingsInAll],
  });
};

/**
 * Returns the latest comparison of a log with the JetStream copy created at `createdAt`. Returns undefined if the comparison is
 * older than the copy, because it was then made with a stream that has since been deleted.
 */
export const readCopyVerification = async (
  pool: Pool,
  createdAt: string,
): Promise<CopyVerification | undefined> => {
  const { rows } = await pool.query<Omit<CopyVerification, 'verifiedAt'> & { readonly verifiedAt: Date }>({
    name: 'copy-verification',
    text: `SELECT up_to AS "upTo", copies, missing, findings, verified_at AS "verifiedAt" FROM copy_verification
      WHERE verified_at > $1`,
    values: [createdAt],
  });
  return rows[0] && { ...rows[0], verifiedAt: rows[0].verifiedAt.toISOString() };
};
