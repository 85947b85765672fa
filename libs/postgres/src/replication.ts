import type { Pool } from 'pg';

/** The settings that determine what the server waits for before it acknowledges a commit. */
export interface Replication {
  /** `synchronous_standby_names`. If empty, the server waits for no standby. */
  readonly standbyNames: string;
  /** `synchronous_commit` of the session: on, remote_apply, remote_write, local or off. */
  readonly commit: string;
}

/** SQL that returns the two settings as the columns of {@link Replication}. */
export const replicationSettings = `current_setting('synchronous_standby_names') AS "standbyNames", current_setting('synchronous_commit') AS commit`;

export const readReplication = async (pool: Pool): Promise<Replication> => {
  const { rows } = await pool.query<Replication>(`SELECT ${replicationSettings}`);
  return rows[0] ?? { standbyNames: '', commit: 'off' };
};

/**
 * Returns the reason why an acknowledged write may be lost with the database server. Undefined if a standby
 * already has every acknowledged write.
 */
export const describeLoss = ({ standbyNames, commit }: Replication): string | undefined => {
  if (standbyNames.trim() === '')
    return 'synchronous_standby_names is empty: commits are acknowledged before a standby has them';
  if (commit === 'off' || commit === 'local')
    return `synchronous_commit is ${commit}: commits are acknowledged before a standby has them`;
  return undefined;
};

/** The marker in `application_name` that shows an operator which services accept the loss. */
export const lossAccepted = 'accepts loss';
