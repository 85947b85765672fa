const identifier = (name: string): string => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('a schema or role name has only a-z, 0-9 and _');
  return `"${name}"`;
};

/**
 * SQL that creates the tables of a service's consumers in its schema, for a migration. `consumer_cursor`: how far each
 * has come; `dead_letter`: events that could not be handled, for an operator to look at.
 */
export const consumerTables = (schema: string, serviceRole: string): string => {
  const at = identifier(schema);
  const role = identifier(serviceRole);
  return `
CREATE TABLE ${at}.consumer_cursor (
  consumer text PRIMARY KEY,
  pos bigint NOT NULL,
  event_id uuid,
  trying_pos bigint,
  tries int NOT NULL DEFAULT 0
);
CREATE TABLE ${at}.dead_letter (
  consumer text NOT NULL,
  pos bigint NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  reason text NOT NULL,
  buried_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, pos)
);
GRANT SELECT, INSERT, UPDATE ON ${at}.consumer_cursor TO ${role};
GRANT SELECT, INSERT, DELETE ON ${at}.dead_letter TO ${role};
`;
};

/** SQL for the migration after {@link consumerTables}: an operator's request to handle a dead letter again. */
export const deadLetterReplays = (schema: string, serviceRole: string): string => {
  const letters = `${identifier(schema)}.dead_letter`;
  return `
ALTER TABLE ${letters}
  ADD COLUMN replay text CHECK (replay IN ('requested', 'under-way', 'failed')),
  ADD COLUMN replay_tries int NOT NULL DEFAULT 0;
GRANT UPDATE (replay, replay_tries, reason) ON ${letters} TO ${identifier(serviceRole)};
`;
};
