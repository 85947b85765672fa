#!/bin/sh
# Copies the server "postgres" at its first start, and follows it. Arguments are those of the program postgres.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --dbname='host=postgres user=xs2a_replicator application_name=standby_1' --slot=standby_1 \
    --wal-method=stream --checkpoint=fast --write-recovery-conf --pgdata="$PGDATA"; do
    rm -rf "$PGDATA"
    sleep 1
  done
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
