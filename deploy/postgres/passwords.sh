#!/bin/sh
# Sets the roles' passwords from the environment, after roles.sql, when the container's database is created. psql reads each from
# its own environment: an argument would show in the list of processes.
set -eu
for role in owner payments consents accounts auth settlement notifications console; do
  variable="POSTGRES_PASSWORD_$(printf %s "$role" | tr '[:lower:]' '[:upper:]')"
  psql -v ON_ERROR_STOP=1 -U postgres -d xs2a -v role="xs2a_$role" <<SQL
\\getenv password $variable
ALTER ROLE :"role" PASSWORD :'password';
SQL
done
