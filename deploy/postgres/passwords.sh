#!/bin/sh
# Sets the roles' passwords from the environment, after roles.sql, when the container's database is created.
set -eu
for role in owner payments consents accounts auth settlement notifications; do
  variable="POSTGRES_PASSWORD_$(printf %s "$role" | tr '[:lower:]' '[:upper:]')"
  eval "password=\$$variable"
  psql -v ON_ERROR_STOP=1 -U postgres -d xs2a -v role="xs2a_$role" -v password="$password" <<'SQL'
ALTER ROLE :"role" PASSWORD :'password';
SQL
done
