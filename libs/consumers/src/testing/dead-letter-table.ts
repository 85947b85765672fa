/** SQL that creates the dead letter table as the migrations of a service do. For tests. */
export const deadLetterTable = (schema: string, serviceRole: string): string => `
CREATE TABLE ${schema}.dead_letter (
  consumer text NOT NULL,
  pos bigint NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  reason text NOT NULL,
  buried_at timestamptz NOT NULL DEFAULT now(),
  replay text CHECK (replay IN ('requested', 'under-way', 'failed')),
  replay_since timestamptz,
  replay_tries int NOT NULL DEFAULT 0,
  PRIMARY KEY (consumer, pos)
);
GRANT SELECT, INSERT, DELETE, UPDATE (replay, replay_since, replay_tries, reason)
  ON ${schema}.dead_letter TO ${serviceRole};`;
