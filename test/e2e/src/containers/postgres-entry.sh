#!/bin/bash
# What the image postgres:18 does at its first start, for its stand-in: a cluster, the database, and the scripts of initdb.d.
set -e
case $1 in postgres | -*) ;; *) exec "$@" ;; esac
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql
  exec setpriv --reuid=70 --regid=70 --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/pw
  initdb -D "$PGDATA" -U postgres --pwfile=/tmp/pw --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  rm /tmp/pw
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "-c listen_addresses='' -k /var/run/postgresql" start >/dev/null
  export PGHOST=/var/run/postgresql
  psql -U postgres -c "CREATE DATABASE $POSTGRES_DB"
  for f in /docker-entrypoint-initdb.d/*; do
    case $f in *.sql) psql -v ON_ERROR_STOP=1 -U postgres -d "$POSTGRES_DB" -f "$f" ;; *.sh) sh "$f" ;; esac
  done
  pg_ctl -D "$PGDATA" -m fast -w stop >/dev/null
fi
exec "$@" -D "$PGDATA" -c listen_addresses='*' -k /var/run/postgresql
