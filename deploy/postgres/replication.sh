#!/bin/sh
# Lets a standby follow this server, and every commit wait for it: once the database is created (docs/how-to/fail-over.md).
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d xs2a <<'SQL'
\getenv password POSTGRES_PASSWORD_REPLICATOR
CREATE ROLE xs2a_replicator LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('standby_1');
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby_1)';
SQL
echo 'host replication xs2a_replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
